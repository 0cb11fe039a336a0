import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sinceOf } from "../release.ts";
import type { Site } from "../site.ts";
import { isTrue } from "./bind.ts";
import { applySudo, authenticate, queryToken, queryTokenWarning } from "./caller.ts";
import { checkNeeds } from "./pipeline.ts";
import { empty, json, Moved, Refusal, type Reply, text } from "./reply.ts";
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
  const query = request.url.searchParams;
  const warned = queryToken(query) === undefined ? {} : { "X-Gitea-Warning": queryTokenWarning };
  const reply = await runRoute(site, match, prefix, request);
  return { ...reply, headers: { ...warned, ...reply.headers } };
}

async function runRoute(site: Site, match: Match, prefix: string, request: Request): Promise<Reply> {
  let isAdmin = false;
  const writes = (request.method !== "GET" && request.method !== "HEAD") || match.route.needs.writes;
  const work = async () => {
    const call = callOf(site, match, prefix, request);
    isAdmin = call.currentUser?.is_admin ?? false;
    if (writes) site.store.actAs(call.currentUser?.id);
    checkNeeds(match.route, call);
    return match.route.handle(call);
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
  const caller = authenticate(site, headers, query);
  const acting = applySudo(site.store, caller, query, String(headers.sudo ?? ""));
  if (acting.currentUser?.must_change_password && acting.currentUser === caller.currentUser) {
    throw new Refusal(403, `You must change your password. Change it at: ${site.root}//user/change_password`, "bare");
  }
  const param = (name: string): string => {
    const value = params[name];
    if (value === undefined) throw new Error(`the route has no {${name}}`);
    return value;
  };
  return {
    ...acting,
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
    flag: (name) => isTrue(query.get(name)),
  };
}

function errorReply(site: Site, { method, url }: Request, error: unknown, isAdmin: boolean): Reply {
  if (error instanceof Moved) {
    const location = `${error.path}${url.search}`;
    const words = error.status === 301 ? "Moved Permanently" : "Temporary Redirect";
    return method === "GET"
      ? text(error.status, `<a href="${location}">${words}</a>.\n\n`, "text/html; charset=utf-8", {
          Location: location,
        })
      : empty(error.status, { Location: location });
  }
  if (error instanceof Refusal) return refusalReply(site, error, isAdmin);
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  site.log(`500 ${method} ${url.pathname}: ${details}`);
  return json(500, { message: isAdmin ? details : "", url: `${site.root}/api/swagger` });
}

/** The response for a refusal. A handler that returns it, instead of throwing, keeps the changes of the write. */
export function refusalReply(site: Site, error: Refusal, isAdmin: boolean): Reply {
  const swagger = `${site.root}/api/swagger`;
  if (error.status === 500) return json(500, { message: isAdmin ? error.message : "", url: swagger });
  if (error.form === "none") return empty(error.status);
  if (error.form === "bare") return json(error.status, { message: error.message });
  if (error.form === "text") return text(error.status, error.message);
  return json(error.status, error.form === "message" ? { message: error.message, url: swagger } : error.form);
}

/** Sends a reply, without the body for HEAD. */
export async function send(response: ServerResponse, method: string, reply: Reply): Promise<void> {
  const { body } = reply;
  const length = body === undefined ? "0" : body instanceof Readable ? undefined : String(Buffer.byteLength(body));
  const noBody = reply.status === 204 || reply.status === 304;
  const headers = noBody || length === undefined ? reply.headers : { ...reply.headers, "Content-Length": length };
  response.writeHead(reply.status, headers);
  if (body instanceof Readable && method !== "HEAD") await pipeline(body, response);
  else response.end(method === "HEAD" || noBody || body instanceof Readable ? undefined : body);
}

const reads = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The response to a request that a web page of another site can make a browser send, if it is one: to a name that is not
 * the sandbox's own (DNS rebinding lets a page read the responses), or a write from another origin. Tokens and passwords
 * of the sandbox are public, so they do not keep such a page out. `root` is the sandbox's URL.
 */
export function refuseForeign({ method = "GET", headers }: IncomingMessage, root: string): Reply | undefined {
  const own = ownHosts(root);
  const host = headers.host?.toLowerCase() ?? "";
  if (!own.has(host)) return text(403, `The sandbox answers at ${root} only\n`);
  const { origin } = headers;
  if (origin === undefined || reads.has(method) || origin.toLowerCase() === `http://${host}`) return undefined;
  return text(403, "The sandbox takes no writes from web pages of other origins\n");
}

/** The values of `Host` for the address that the sandbox listens on, which is reached as `localhost`, too. */
function ownHosts(root: string): Set<string> {
  const { hostname, port } = new URL(root);
  const names = [hostname, "localhost", "127.0.0.1", "[::1]"];
  const withPort = names.map((name) => `${name}:${port || "80"}`);
  return new Set(port === "" ? [...names, ...withPort] : withPort);
}
