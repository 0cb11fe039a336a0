import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";

/** A lock that this process holds. */
export interface Lock {
  readonly release: () => void;
}

/**
 * Locks a name on this machine; undefined if another process has locked it. The lock is the address of a local socket,
 * which the system releases as soon as the process ends and keeps while it is stopped, so no lock is ever stale and
 * nothing depends on a clock. Where no such socket can be created the name is not locked, but the call succeeds.
 */
export async function lock(name: string, system = platform(), folder = tmpdir()): Promise<Lock | undefined> {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 32);
  if (system === "win32") {
    const pipe = `\\\\.\\pipe\\tongs-${digest}`;
    return (await accepts(pipe)) ? undefined : listen(pipe);
  }
  // An abstract address: no file is created.
  if (system === "linux" || system === "android") return listen(`\0tongs-${digest}`);
  const file = join(folder, `tongs-${digest}.sock`);
  const created = await listen(file);
  if (created !== undefined || (await accepts(file))) return created;
  // The socket file of a killed process.
  rmSync(file, { force: true });
  return listen(file);
}

function listen(address: string): Promise<Lock | undefined> {
  return new Promise((resolve) => {
    const server: Server = createServer((socket) => socket.destroy());
    const release = () => void server.close();
    server.once("error", async (error: NodeJS.ErrnoException) => {
      // Bun does not say on Windows that a pipe is in use.
      const isInUse = error.code === "EADDRINUSE" || (await accepts(address));
      resolve(isInUse ? undefined : { release: () => undefined });
    });
    server.listen(address, () => resolve({ release }));
    server.unref();
  });
}

function accepts(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file, () => resolve(true));
    socket.once("error", () => resolve(false)).once("connect", () => socket.destroy());
  });
}
