import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";

/** A name that this process holds. */
export interface Lock {
  readonly release: () => void;
}

/**
 * Holds a name that no other process on this machine can hold meanwhile; undefined when one does. It is the address of a
 * local socket: of a process that was killed the system takes it away at once, and one that was halted keeps it. Nothing
 * is left on disk, and no clock decides. Where no such socket can be had the name is not held, and nothing is refused.
 */
export async function lock(name: string, system = platform(), folder = tmpdir()): Promise<Lock | undefined> {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 32);
  if (system === "win32") return listen(`\\\\.\\pipe\\tongs-${digest}`);
  // Linux has addresses that are no files.
  if (system === "linux" || system === "android") return listen(`\0tongs-${digest}`);
  const file = join(folder, `tongs-${digest}.sock`);
  const held = await listen(file);
  if (held !== undefined || (await answers(file))) return held;
  // Left by a process that was killed.
  rmSync(file, { force: true });
  return listen(file);
}

function listen(address: string): Promise<Lock | undefined> {
  return new Promise((resolve) => {
    const server: Server = createServer((socket) => socket.destroy());
    const release = () => void server.close();
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRINUSE" ? undefined : { release: () => undefined });
    });
    server.listen(address, () => resolve({ release }));
    server.unref();
  });
}

function answers(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file, () => resolve(true));
    socket.once("error", () => resolve(false)).once("connect", () => socket.destroy());
  });
}
