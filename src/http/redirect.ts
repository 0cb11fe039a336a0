import { BrokenAnswerError } from "./errors.ts";
import type { WireRequest } from "./transport.ts";

const redirects = new Set([301, 302, 303, 307, 308]);
const most = 10;

/** Whether a status asks to go elsewhere. */
export function isRedirect(status: number, location: string | undefined): location is string {
  return redirects.has(status) && location !== undefined && location !== "";
}

/**
 * The request that a redirect asks for. Method and body stay (the servers answer 301 for a renamed repository to writes
 * too, api-facts 3.1.7), save for 303, which means: done, now read there. When the origin changes only harmless headers
 * go along, and a write is not sent there at all.
 */
export function redirected(request: WireRequest, status: number, location: string, hop: number): WireRequest {
  const about = { status, method: request.method, path: request.url.pathname };
  if (hop >= most) throw new BrokenAnswerError(`${request.url.host} redirects in a circle (${most} times)`, about);
  if (!URL.canParse(location, request.url.href)) {
    throw new BrokenAnswerError(`${request.url.host} redirects to something that is no address`, about);
  }
  const url = new URL(location, request.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BrokenAnswerError(`${request.url.host} redirects to ${url.protocol}, which is not followed`, about);
  }
  url.username = "";
  url.password = "";
  const next = status === 303 && !reads(request) ? asRead(request) : request;
  if (url.origin === request.url.origin) return { ...next, url };
  if (!reads(next)) {
    const message = `${request.url.host} redirects this write to another host (${url.origin}); it was not sent there`;
    const hint = `If that is the server's right address, sign in there: tongs auth login --host ${url.origin}`;
    throw new BrokenAnswerError(message, { ...about, hint });
  }
  return { ...next, url, headers: only(harmless, next.headers) };
}

function reads(request: WireRequest): boolean {
  return request.method === "GET" || request.method === "HEAD";
}

function asRead(request: WireRequest): WireRequest {
  const { body: _left, ...rest } = request;
  const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== "content-type");
  return { ...rest, method: "GET", headers: Object.fromEntries(headers) };
}

/** All else may be a credential, above all what somebody passed with `tongs api -H`. */
const harmless = /^(accept|accept-encoding|accept-language|user-agent|range|if-range)$/i;

function only(allowed: RegExp, headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => allowed.test(name)));
}
