import { createServer } from "node:http";
import { type Address, listenOn } from "../address.ts";

/** A server for pages that are read again and again. */
export interface PageServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Serves text in OpenMetrics, at `/metrics` and `/`. Throws a `Failure` if it cannot listen. An error of `page` is answered
 * with 500 and its message.
 */
export async function servePages(address: Address, page: () => string | Promise<string>): Promise<PageServer> {
  const server = createServer(async ({ method, url = "" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const [status, body] =
      pathname !== "/metrics" && pathname !== "/"
        ? [404, "Not found: /metrics has the metrics\n"]
        : method !== "GET" && method !== "HEAD"
          ? [405, "Use GET\n"]
          : await Promise.resolve()
              .then(page)
              .then(
                (text): [number, string] => [200, text],
                (error: Error): [number, string] => [500, `${error.message}\n`],
              );
    const type = status === 200 ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain";
    response.writeHead(Number(status), { "content-type": type }).end(method === "HEAD" ? undefined : body);
  });
  return {
    port: await listenOn(server, address),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
