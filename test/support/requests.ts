import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import type { ClientRequest, IncomingMessage } from "node:http";

/** What answers the requests of a test: a recording of a real server, the sandbox, or a real server itself. */
export type Answerer = "recording" | "sandbox" | "server";

const answerers = new Map<string, Answerer>();
let isOn = false;

/** Says what answers at an address. Everywhere else, the test itself makes up the answers. */
export function answeredBy(url: string, answerer: Answerer): void {
  answerers.set(new URL(url).host, answerer);
}

/**
 * With `TONGS_TEST_REQUESTS=FILE`, appends a line for each request that tongs sends in this process and for which there
 * was an answer: what answered, method, path and status, separated by tabs. `scripts/sent.mjs` compares them with
 * `src/forge`.
 */
export function logRequests(): void {
  const { TONGS_TEST_REQUESTS: file } = process.env;
  if (file === undefined || isOn) return;
  isOn = true;
  // Only tongs uses Node's HTTP client: tests ask with fetch.
  subscribe("http.client.response.finish", (message) => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    const answerer = answerers.get(String(request.getHeader("host"))) ?? "test";
    const path = request.path.replace(/\?.*$/, "");
    if (!isUnknown(response))
      appendFileSync(file, `${[answerer, request.method, path, response.statusCode].join("\t")}\n`);
  });
}

/** An operation that the server does not have is 404 in plain text, or 405. */
function isUnknown({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 405 || (statusCode === 404 && String(headers["content-type"]).startsWith("text/plain"));
}
