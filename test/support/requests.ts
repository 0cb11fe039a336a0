import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import type { ClientRequest, IncomingMessage } from "node:http";
import { route } from "../../src/command/route.ts";
import { aliases, table } from "../../src/commands/index.ts";

/**
 * What answers the requests of a test: a recording of a real server, the sandbox, a real server itself, or a sandbox with
 * recordings for what it does not serve, which are real answers, but to something else.
 */
export type Answerer = "recording" | "sandbox" | "server" | "stand-in";

/** A run of a command, and what answered it; `test` is an answer that the test made up. */
export interface Running {
  readonly command: string;
  readonly answerers: Set<Answerer | "test">;
}

const answerers = new Map<string, Answerer | "test">();
/** How many servers were started at an address: a port is soon used again, and the new server is not the old one. */
const starts = new Map<string, number>();
const running = new AsyncLocalStorage<Running>();
const senders = new WeakMap<ClientRequest, Running>();
let isOn = false;

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

/** How many servers have been started at an address. */
export const startsOf = (url = ""): number => starts.get(hostOf(url)) ?? 0;

/** Says that a server was started at an address, and what answers there. */
export function startedAt(url: string, answerer: Answerer | "test"): void {
  starts.set(hostOf(url), startsOf(url) + 1);
  answerers.set(hostOf(url), answerer);
}

/** Says what answers at the address of a server. Everywhere else, the test itself makes up the answers. */
export function answeredBy(url: string, answerer: Answerer): void {
  answerers.set(hostOf(url), answerer);
}

/**
 * Notes what answers each run. With `TONGS_TEST_REQUESTS=FILE`, appends a line for each request that tongs sends in this
 * process and for which there was an answer: what answered, method, path, status and command, separated by tabs.
 * `scripts/sent.mjs` compares them with `src/forge` and the commands.
 */
function noteRequests(): void {
  if (isOn) return;
  isOn = true;
  const { TONGS_TEST_REQUESTS: file } = process.env;
  subscribe("http.client.request.start", (message) => {
    const run = running.getStore();
    if (run !== undefined) senders.set((message as { readonly request: ClientRequest }).request, run);
  });
  // Only tongs uses Node's HTTP client: tests ask with fetch.
  subscribe("http.client.response.finish", (message) => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    const answerer = answerers.get(String(request.getHeader("host"))) ?? "test";
    const run = senders.get(request);
    run?.answerers.add(answerer);
    const path = request.path.replace(/\?.*$/, "");
    if (file !== undefined && !isUnknown(response))
      appendFileSync(file, `${[answerer, request.method, path, response.statusCode, run?.command].join("\t")}\n`);
  });
}

/** An operation that the server does not have is 404 in plain text, or 405. */
function isUnknown({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 405 || (statusCode === 404 && String(headers["content-type"]).startsWith("text/plain"));
}

/** Runs a command line, whose requests are noted as its own. */
export async function asCommand<T>(argv: readonly string[], work: (run: Running) => Promise<T>): Promise<T> {
  noteRequests();
  const run = { command: (await route(argv, table, aliases)).words.join(" "), answerers: new Set<Answerer>() };
  return running.run(run, () => work(run));
}
