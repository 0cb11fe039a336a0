import type { Server } from "node:http";
import { type Guard, guardedServer } from "../../system/guarded-server.ts";
import { type Address, listenOn } from "../address.ts";

/** A running server. */
export interface PageServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Serves text in OpenMetrics, at `/metrics` and `/`. Throws a `Failure` if it cannot listen. An error of `page` is answered
 * with 500 and its message.
 */
export async function servePages(
  address: Address,
  guard: Guard,
  page: () => string | Promise<string>,
): Promise<PageServer> {
  const server = guardedServer({ ...guard, opens: true }, async ({ method }, { pathname }) => {
    if (pathname !== "/metrics" && pathname !== "/")
      return { status: 404, text: "Not found: /metrics has the metrics" };
    if (method !== "GET" && method !== "HEAD") return { status: 405, text: "Use GET" };
    try {
      const type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
      return { status: 200, type, text: await page() };
    } catch (error) {
      return { status: 500, text: (error as Error).message };
    }
  });
  return listening(server, address, () => server.closeAllConnections());
}

/** Lets a server listen; `end` closes its connections. */
export async function listening(server: Server, address: Address, end: () => void): Promise<PageServer> {
  const port = await listenOn(server, address);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      end();
    });
  return { port, close };
}
