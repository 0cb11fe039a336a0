import type { IncomingMessage, ServerResponse } from "node:http";
import { sinceOf } from "../release.ts";
import type { Site } from "../site.ts";
import { callerOf } from "./caller.ts";
import { checkNeeds } from "./pipeline.ts";
import { empty, json, Refusal, type Reply, replyOf, text } from "./reply.ts";
import type { FullCall } from "./route.ts";
import type { Match, Router } from "./router.ts";

/** A request with its complete body. */
export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly rawBody: Buffer;
}

/** Handles a request to the API (`prefix` is `/api/v1`) or to another page (`prefix` is empty). */
export async function answer(site: Site, router: Router, prefix: string, request: Request): Promise<Reply> {
  const match = router(request.method, request.url.pathname.slice(prefix.length));
  if (match === undefined) return text(404, "404 page not found\n", "text/plain; charset=utf-8");
  if ("allow" in match) return empty(405, { Allow: match.allow.join(", ") });
  const { route } = match;
  let isAdmin = false;
  const writes = request.method !== "GET" && request.method !== "HEAD";
  const work = async () => {
    const call = callOf(site, match, prefix, request);
    isAdmin = call.currentUser?.is_admin ?? false;
    if (writes) site.store.actAs(call.currentUser?.id);
    checkNeeds(route, call);
    try {
      return replyOf(request.method, await route.handle(call));
    } catch (error) {
      if (route.needs.partial && error instanceof Refusal) return refusalReply(site, error, isAdmin);
      throw error;
    }
  };
  try {
    return await (writes ? site.store.write(work) : site.store.read(work));
  } catch (error) {
    return errorReply(site, request, error, isAdmin);
  }
}

function callOf(site: Site, { params, route }: Match, prefix: string, request: Request): FullCall {
  const { url, method, headers, rawBody } = request;
  const query = url.searchParams;
  // A filter of the other server is none. Pages work also where no description names them.
  for (const [name, field] of Object.entries(route.query)) {
    if (!/^(page|limit)$/.test(name) && sinceOf(field)[site.release.product] === "-") query.delete(name);
  }
  const param = (name: string): string => {
    const value = params[name];
    if (value === undefined) throw new Error(`the route has no {${name}}`);
    return value;
  };
  return {
    ...callerOf(site, headers, query),
    site,
    table: site.table,
    origin: headers.host === undefined ? site.root : `http://${headers.host}`,
    method,
    path: url.pathname.slice(prefix.length).replace(/(.)\/$/, "$1"),
    requestPath: url.pathname,
    query,
    headers,
    rawBody,
    param,
    number: (name) => (/^[+-]?\d+$/.test(param(name)) ? Number(param(name)) : 0),
    flag: (name) => /^(1|t|true|on)$/i.test(query.get(name) ?? ""),
    matches: (...texts) => texts.some((text) => text.toLowerCase().includes((query.get("q") ?? "").toLowerCase())),
  };
}

function errorReply(site: Site, { method, url }: Request, error: unknown, isAdmin: boolean): Reply {
  if (!(error instanceof Refusal)) {
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    site.log(`500 ${method} ${url.pathname}: ${details}`);
    return refusalReply(site, new Refusal(500, details), isAdmin);
  }
  if (error.form !== "moved") return refusalReply(site, error, isAdmin);
  const Location = `${error.message}${url.search}`;
  const words = `<a href="${Location}">${error.status === 301 ? "Moved Permanently" : "Temporary Redirect"}</a>.\n\n`;
  if (method !== "GET") return empty(error.status, { Location });
  return text(error.status, words, "text/html; charset=utf-8", { Location });
}

/** The response for a refusal. */
function refusalReply(site: Site, { status, message, form }: Refusal, isAdmin: boolean): Reply {
  if (typeof form === "object") return json(status, form);
  if (form === "none") return empty(status);
  if (form === "bare") return json(status, { message });
  if (form === "text") return text(status, message);
  return json(status, { message: status === 500 && !isAdmin ? "" : message, url: `${site.root}/api/swagger` });
}

/** Sends a reply, without the body for HEAD. */
export function send(response: ServerResponse, method: string, { status, headers, body }: Reply): void {
  const noBody = status === 204 || status === 304;
  response.writeHead(status, noBody ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  response.end(method === "HEAD" || noBody ? undefined : body);
}

const reads = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The response to a request that a web page of another site can make a browser send, if it is one: to a name that is not
 * the sandbox's own (DNS rebinding lets a page read the responses), or a write from another origin. Tokens and passwords
 * of the sandbox are public, so they do not keep such a page out. `root` is the sandbox's URL.
 */
export function refuseForeign({ method = "GET", headers }: IncomingMessage, root: string): Reply | undefined {
  const { hostname, port } = new URL(root);
  const host = headers.host?.toLowerCase() ?? "";
  const names = [hostname, "localhost", "127.0.0.1", "[::1]"];
  const isOwn = names.some((name) => host === `${name}:${port || "80"}` || (port === "" && host === name));
  if (!isOwn) return text(403, `The sandbox answers at ${root} only\n`);
  const { origin } = headers;
  if (origin === undefined || reads.has(method) || origin.toLowerCase() === `http://${host}`) return undefined;
  return text(403, "The sandbox takes no writes from web pages of other origins\n");
}

/** Whether a host is an address of this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
