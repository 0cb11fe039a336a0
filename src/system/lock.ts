import { createHash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { platform } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { hasCode } from "../failure/disk.ts";
import { stateFolder } from "./base-folders.ts";
import { createFolders } from "./files.ts";

/** A lock that this process holds. */
export interface Lock {
  readonly release: () => void;
}

const unlocked: Lock = { release: () => undefined };

/**
 * Locks a name for the processes of this user; undefined if another one has locked it. The lock is a local socket, at which
 * nobody listens any more as soon as the process ends, while a stopped one keeps it: no lock is ever stale and nothing
 * depends on a clock. Its folder is private, because whoever can create sockets in it can block the user. Where no such
 * socket can be created the name is not locked, but the call succeeds.
 */
export async function lock(name: string, system = platform(), folder = lockFolder()): Promise<Lock | undefined> {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 16);
  if (system === "win32") {
    const pipe = `\\\\.\\pipe\\tongs-${digest}`;
    if ((await answer(pipe)) === "live") return undefined;
    const server = await listen(pipe);
    if (server !== undefined) return { release: () => void server.close() };
    return (await answer(pipe)) === "live" ? undefined : unlocked;
  }
  try {
    createFolders(folder, 0o700);
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    for (;;) {
      const held = await announce(folder, digest);
      if (held !== "again") return held;
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return unlocked;
    throw error;
  }
}

function lockFolder(): string {
  return join(stateFolder(process.env), "locks");
}

const socketName = /^[0-9a-f]{16}\.[0-9a-f]{8}(\.new)?$/;

/** How often, and how long in milliseconds, to wait for another process that wants the lock, too, but is stopped. */
const [attempts, pause] = [200, 5];

/**
 * Listens at a socket of its own, and then looks who else does: of two that want the lock at least one sees the other. The
 * name ends in `.new` until the lock is held. Names are never used twice, so that a dead socket can be removed at any time.
 */
async function announce(folder: string, digest: string): Promise<Lock | undefined | "again"> {
  const own = `${digest}.${randomBytes(4).toString("hex")}`;
  const directory = openSync(folder, "r");
  // Addresses of sockets have about 100 bytes.
  const base = existsSync("/proc/self/fd") ? `/proc/self/fd/${directory}` : folder;
  const server = await listen(join(base, `${own}.new`));
  const release = () => {
    server?.close();
    for (const file of [own, `${own}.new`]) rmSync(join(folder, file), { force: true });
  };
  /** Whether somebody listens there. Removes a dead socket. */
  const isLive = async (file: string) => {
    const said = await answer(join(base, file));
    // It was renamed or removed: look again.
    if (said === "live" || !existsSync(join(folder, file))) return true;
    rmSync(join(folder, file), { force: true });
    return false;
  };
  try {
    if (server === undefined) return unlocked;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // Those of other locks that ended without releasing them are removed, too.
      const all = readdirSync(folder).filter((file) => socketName.test(file) && !file.startsWith(own));
      const live = await Promise.all(all.map(async (file) => ((await isLive(file)) ? [file] : [])));
      const rivals = live.flat().filter((file) => file.startsWith(digest));
      if (rivals.length === 0) {
        renameSync(join(folder, `${own}.new`), join(folder, own));
        return { release };
      }
      const isLater = rivals.some((file) => existsSync(join(folder, file)) && (!file.endsWith(".new") || file < own));
      if (isLater) break;
      await wait(pause);
    }
    release();
    return undefined;
  } catch (error) {
    release();
    // Another process removed it between its creation and its first answer.
    if (hasCode(error, "ENOENT") && existsSync(folder)) return "again";
    throw error;
  } finally {
    closeSync(directory);
  }
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(undefined));
    // Root and the user whose directory it is can reach each other's.
    server.listen({ path, readableAll: true, writableAll: true }, () => resolve(server));
    server.unref();
  });
}

/** Whether somebody listens at an address: who is stopped does. */
function answer(path: string): Promise<"live" | "dead"> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve("live"));
    socket.once("error", (error) => resolve(hasCode(error, "ECONNREFUSED", "ENOENT") ? "dead" : "live"));
    socket.once("connect", () => socket.destroy());
  });
}
