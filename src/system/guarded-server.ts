import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";

/** What a server on this machine answers. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Its media type; plain text without one. */
  readonly type?: string;
}

/** Which requests a server takes. */
export interface Guard {
  /** Names that `Host` may have besides addresses, `localhost` and the name of this machine; undefined for any. */
  readonly hosts: readonly string[] | undefined;
  /** Whether users may open it in a browser by its address. */
  readonly opens?: boolean;
  /** Called for a request that is not taken, and for an error of `answer`. */
  readonly onRefused?: (reason: string, status: number) => void;
}

/**
 * A server that no web page can use: pages can send requests to any port of this machine, and reach it under a name of their
 * own. Requests that the guard refuses, and errors of `answer`, are answered and do not end the process.
 */
export function guardedServer(guard: Guard, answer: (request: IncomingMessage, url: URL) => Promise<Answer>): Server {
  return createServer(async (request, response) => {
    const url = checked(request, guard);
    const found = url instanceof URL ? await answer(request, url).catch(internalError) : url;
    if (!(url instanceof URL)) guard.onRefused?.(url.text, url.status);
    send(request, response, found);
  });

  function internalError(error: unknown): Answer {
    guard.onRefused?.(error instanceof Error ? error.message : String(error), 500);
    return { status: 500, text: "internal error" };
  }
}

/** What a request asks for, or why it is refused. */
function checked({ method, url = "", headers }: IncomingMessage, { hosts, opens = false }: Guard): URL | Answer {
  const site = headers["sec-fetch-site"];
  const isOpened = opens && (method === "GET" || method === "HEAD") && site === "none";
  // Browsers send one of them; forges, tunnels and collectd neither.
  if (headers.origin !== undefined || (site !== undefined && !isOpened))
    return { status: 403, text: "sent by a web page" };
  if (!URL.canParse(url, "http://localhost")) return { status: 400, text: "the address is not valid" };
  const host = /^(\[.*\]|[^:]*)(:\d*)?$/.exec(headers.host ?? "")?.[1]?.toLowerCase() ?? "";
  if (hosts === undefined || isOwnHost(host, hosts)) return new URL(url, "http://localhost");
  return { status: 403, text: `the host '${host}' is not this machine: allow it with --allow-host` };
}

function isOwnHost(host: string, allowed: readonly string[]): boolean {
  const own = ["localhost", hostname(), ...allowed].map((name) => name.toLowerCase());
  return isIP(host.replace(/^\[(.*)\]$/, "$1")) !== 0 || own.includes(host);
}

function send(request: IncomingMessage, response: ServerResponse, { status, text, type }: Answer): void {
  response.writeHead(status, {
    "content-type": type ?? "text/plain; charset=utf-8",
    // The rest of a body that is not read must not be taken for the next request.
    ...(!request.complete && { connection: "close" }),
  });
  const content = type === undefined ? `${text}\n` : text;
  response.end(status === 204 || request.method === "HEAD" ? undefined : content);
}

/** The body of a request; undefined if it has more than `most` bytes. */
export async function requestBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
