import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
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
 * nobody listens any more as soon as the process ends, while a stopped one keeps it: no lock is ever stale. Its folder is private, because whoever can create sockets in it can block the user. Where no such
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

/** A socket that is linked to the name of a lock, of 16 digits, while that is held. */
const socketName = /^[0-9a-f]{16}\.[0-9a-f]{8}$/;

/**
 * Listens at a socket of its own, and links it to the name of the lock, which one process alone can do. A name at whose socket
 * nobody listens is that of a process that was killed: it is removed. Undefined if somebody listens there.
 */
async function announce(folder: string, digest: string): Promise<Lock | undefined | "again"> {
  const directory = openSync(folder, "r");
  // Addresses of sockets have about 100 bytes.
  const base = existsSync("/proc/self/fd") ? `/proc/self/fd/${directory}` : folder;
  const held = join(folder, digest);
  const ask = (file: string) => answer(join(base, file));
  try {
    const holder = await ask(digest);
    if (holder === "live") return undefined;
    if (holder === "dead") {
      await removeDead(folder, digest, ask);
      return "again";
    }
    const own = `${digest}.${randomBytes(4).toString("hex")}`;
    const server = await listen(join(base, own));
    if (server === undefined) return unlocked;
    try {
      linkSync(join(folder, own), held);
    } catch (error) {
      server.close();
      // Another process was faster, or took the new socket for a dead one.
      if (hasCode(error, "EEXIST", "ENOENT")) return "again";
      throw error;
    } finally {
      rmSync(join(folder, own), { force: true });
    }
    const release = () => {
      rmSync(held, { force: true });
      server.close();
    };
    return { release };
  } finally {
    closeSync(directory);
  }
}

/**
 * Removes the name of a lock whose process was killed, and the sockets that such processes left before they had one. One
 * process does so at a time, and asks again first, so that it does not remove the name of another one. If that process is
 * killed, the next one takes over after a second.
 */
async function removeDead(folder: string, digest: string, ask: (file: string) => Promise<Answer>): Promise<void> {
  const breaking = join(folder, `${digest}.break`);
  try {
    mkdirSync(breaking);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    const made = statSync(breaking, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > 1000) rmSync(breaking, { recursive: true, force: true });
    else await wait(5);
    return;
  }
  try {
    for (const file of readdirSync(folder))
      if ((file === digest || socketName.test(file)) && (await ask(file)) === "dead")
        rmSync(join(folder, file), { force: true });
  } finally {
    rmSync(breaking, { recursive: true, force: true });
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

type Answer = "live" | "dead" | "none";

/** Whether somebody listens at an address: who is stopped does. */
function answer(path: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve("live"));
    socket.once("error", (error) => {
      resolve(hasCode(error, "ECONNREFUSED") ? "dead" : hasCode(error, "ENOENT") ? "none" : "live");
    });
    socket.once("connect", () => socket.destroy());
  });
}
