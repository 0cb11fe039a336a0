import type { AddressInfo, Server, Socket } from "node:net";
import { onTestFinished, TestRunner } from "vitest";
import { startedAt } from "./requests.ts";

/** How to close what the file started outside of its tests. */
const open: (() => unknown)[] = [];

/** Closes what a test started when it ends, and what a file or a hook for several tests started when the file ends. */
export function atEnd(close: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) open.push(close);
  else
    onTestFinished(async () => {
      await close();
    });
}

/** Closes what is left at the end of a file (test/support/close-at-end.ts). */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** Lets a server listen on a free port of loopback until the end, at which its connections are cut. */
export async function listen(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
  });
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of open) socket.destroy();
      server.close(() => resolve());
    });
  atEnd(close);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  startedAt(`http://127.0.0.1:${port}`, "test");
  return { port, close };
}
