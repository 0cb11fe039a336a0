import { BrokenAnswerError } from "./errors/broken-answer-error.ts";
import type { WireRequest } from "./transport.ts";

const redirects = new Set([301, 302, 303, 307, 308]);
const most = 10;

/** Whether a status asks to go elsewhere. */
export function isRedirect(status: number, location: string | undefined): location is string {
  return redirects.has(status) && location !== undefined;
}

/**
 * The request that a redirect asks for. Method and body stay (the servers answer 301 for a renamed repository to writes
 * too, api-facts 3.1.7); the credentials are left behind when the origin changes, and a write is not sent there at all.
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
  const reads = request.method === "GET" || request.method === "HEAD";
  if (url.origin === request.url.origin) return { ...request, url };
  if (!reads) {
    const message = `${request.url.host} redirects this write to another host (${url.origin}); it was not sent there`;
    const hint = `If that is the server's right address, sign in there: tongs auth login --host ${url.origin}`;
    throw new BrokenAnswerError(message, { ...about, hint });
  }
  return { ...request, url, headers: withoutCredentials(request.headers) };
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie|sudo|x-gitea-otp)$/i.test(name)),
  );
}
