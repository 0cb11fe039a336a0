import { BrokenAnswerError } from "./errors.ts";
import type { WireRequest } from "./transport.ts";

const redirects = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 10;

/** Whether a response is a redirect. */
export function isRedirect(status: number, location: string | undefined): location is string {
  return redirects.has(status) && location !== undefined && location !== "";
}

/**
 * The request that follows a redirect. Method and body are kept, also for 301, which servers return to writes on a renamed
 * repository (docs/server-differences.md, "Redirects"). 303 turns a write into GET. To another origin only safe headers are
 * sent, and no writes. Throws a `BrokenAnswerError` if the redirect cannot be followed.
 */
export function redirectRequest(request: WireRequest, status: number, location: string, hop: number): WireRequest {
  const about = { status, method: request.method, path: request.url.pathname };
  if (hop >= maxRedirects)
    throw new BrokenAnswerError(`${request.url.host} redirected too many times (${maxRedirects})`, about);
  if (!URL.canParse(location, request.url.href)) {
    throw new BrokenAnswerError(`${request.url.host} redirected to an invalid address`, about);
  }
  const url = new URL(location, request.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BrokenAnswerError(`${request.url.host} redirected to an unsupported protocol (${url.protocol})`, about);
  }
  if (request.url.protocol === "https:" && url.protocol === "http:") {
    const message = `${request.url.host} redirected from https to plain http (${url.origin}); it was not followed`;
    const hint =
      "Signed addresses and content would travel unencrypted. Set ROOT_URL on the server to its https address.";
    throw new BrokenAnswerError(message, { ...about, hint });
  }
  url.username = "";
  url.password = "";
  const next = status === 303 && !isRead(request) ? asGet(request) : request;
  if (url.origin === request.url.origin) return { ...next, url };
  if (!isRead(next)) {
    const message = `${request.url.host} redirected this write to another host (${url.origin}); it was not sent there`;
    const hint = `If that is the server's new address, run: tongs auth login --host ${url.origin}`;
    throw new BrokenAnswerError(message, { ...about, hint });
  }
  return { ...next, url, headers: safeHeaders(next.headers) };
}

function isRead(request: WireRequest): boolean {
  return request.method === "GET" || request.method === "HEAD";
}

function asGet(request: WireRequest): WireRequest {
  const { body: _left, ...rest } = request;
  const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== "content-type");
  return { ...rest, method: "GET", headers: Object.fromEntries(headers) };
}

/** Whether a header is no credential: any other can be one, above all one from `tongs api -H`. */
export function isSafeHeader(name: string): boolean {
  return /^(accept|accept-encoding|accept-language|user-agent|range|if-range)$/i.test(name);
}

function safeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isSafeHeader(name)));
}
