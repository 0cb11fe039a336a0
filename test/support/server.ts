import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./at-end.ts";

/** A request that the server received. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server on loopback that responds as the test says and records the requests. */
export interface TestServer {
  readonly url: string;
  readonly seen: Seen[];
  /** `METHOD /path?query` of each request, in order. */
  lines(): string[];
  close(): Promise<void>;
}

/** A scripted response; a `body` other than text or bytes is sent as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Returns the response, or sends it itself. */
export type Handler = (
  seen: Seen,
  request: IncomingMessage,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

interface Options {
  /** The handler also answers GET /version, which tongs asks for once a day before what not all releases have. */
  readonly saysVersion?: boolean;
}

/** Starts a server, closed at the end. It does not say its version, and does not record that it was asked. */
export async function serve(handler: Handler, { saysVersion = false }: Options = {}): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { method = "", url = "", headers } = request;
      if (url === "/api/v1/version" && !saysVersion) {
        response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found\n");
        return;
      }
      const one: Seen = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      seen.push(one);
      const reply = await handler(one, request, response);
      if (reply === undefined) return;
      const { body, status = 200 } = reply;
      const bare = body === undefined || typeof body === "string" || body instanceof Uint8Array;
      const type = bare ? {} : { "content-type": "application/json;charset=utf-8" };
      response.writeHead(status, { ...type, ...reply.headers });
      response.end(bare ? body : JSON.stringify(body));
    });
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}`, seen, lines: () => seen.map((one) => `${one.method} ${one.url}`), close };
}
