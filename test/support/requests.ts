import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import type { ClientRequest, IncomingMessage } from "node:http";
import { route } from "../../src/command/route.ts";
import { aliases, table } from "../../src/commands/index.ts";

/** What answers the requests of a test: a recording of a real server, the sandbox, or a real server itself. */
export type Answerer = "recording" | "sandbox" | "server";

const answerers = new Map<string, Answerer>();
const running = new AsyncLocalStorage<string>();
const senders = new WeakMap<ClientRequest, string>();
let isOn = false;

/** Says what answers at an address. Everywhere else, the test itself makes up the answers. */
export function answeredBy(url: string, answerer: Answerer): void {
  answerers.set(new URL(url).host, answerer);
}

/**
 * With `TONGS_TEST_REQUESTS=FILE`, appends a line for each request that tongs sends in this process and for which there
 * was an answer: what answered, method, path, status and command, separated by tabs. `scripts/sent.mjs` compares them with
 * `src/forge` and the commands.
 */
export function logRequests(): void {
  const { TONGS_TEST_REQUESTS: file } = process.env;
  if (file === undefined || isOn) return;
  isOn = true;
  subscribe("http.client.request.start", (message) => {
    senders.set((message as { readonly request: ClientRequest }).request, running.getStore() ?? "");
  });
  // Only tongs uses Node's HTTP client: tests ask with fetch.
  subscribe("http.client.response.finish", (message) => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    const answerer = answerers.get(String(request.getHeader("host"))) ?? "test";
    const path = request.path.replace(/\?.*$/, "");
    if (!isUnknown(response))
      appendFileSync(
        file,
        `${[answerer, request.method, path, response.statusCode, senders.get(request)].join("\t")}\n`,
      );
  });
}

/** An operation that the server does not have is 404 in plain text, or 405. */
function isUnknown({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 405 || (statusCode === 404 && String(headers["content-type"]).startsWith("text/plain"));
}

/** Runs a command line, whose requests are logged as its own. */
export async function asCommand<T>(argv: readonly string[], work: () => Promise<T>): Promise<T> {
  return isOn ? running.run((await route(argv, table, aliases)).words.join(" "), work) : work();
}
