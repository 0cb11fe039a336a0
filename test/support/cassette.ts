import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { atEnd } from "./at-end.ts";
import { answeredBy } from "./requests.ts";
import { type Handler, type Reply, type Seen, serve } from "./server.ts";
import { type Ran, tongs, type World } from "./tongs.ts";

/** One exchange that was recorded from a real server (test/data/cassettes). */
interface Exchange {
  readonly label: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** A server that replays recorded exchanges and refuses every other request. */
export interface Cassette {
  readonly url: string;
  /** The requests so far: `METHOD /path?query`. */
  lines(): string[];
  /** Runs a command against it. */
  run(line: readonly string[], world?: World): Promise<Ran>;
  /** Throws, as at the end, if a request was refused, or if an exchange was not replayed. */
  close(): Promise<void>;
}

interface Options {
  /** The repository that commands work on. */
  readonly repo?: string;
  /**
   * Exchanges can be replayed any number of times, and none has to be; other requests are refused, but not reported. Of
   * several for a request, one with records comes first.
   */
  readonly repeat?: boolean;
  /** Answers that were not recorded, for requests that only prepare those that were: `METHOD /path`, and the body. */
  readonly made?: Readonly<Record<string, unknown>>;
}

/**
 * Plays the exchanges of `test/data/cassettes/NAME.ndjson` whose labels are given, or all of them. A request gets the
 * answer to the first exchange that was not replayed yet and has the same method, path, query and body. Of the query,
 * `limit` is left out, and `page` is 1 if absent: the recording asked for other pages than tongs does.
 */
export async function cassette(name: string, labels?: readonly string[], options: Options = {}): Promise<Cassette> {
  const all = exchangesOf(name);
  const left = labels === undefined ? [...all] : labels.map((label) => exchange(all, name, label));
  if (options.repeat) left.sort((one, other) => Number(isBare(one)) - Number(isBare(other)));
  const refused: string[] = [];
  const handler: Handler = (seen) => {
    const at = left.findIndex(({ request }) => isSame(request, seen));
    const found = left[at];
    const made = options.made?.[`${seen.method} ${seen.url.replace(/\?.*$/, "")}`];
    if (found === undefined && made !== undefined) return { body: made };
    if (found === undefined) {
      // A mutated answer makes a command ask for the next page: the list ends there.
      if (options.repeat && /[?&]page=[2-9]/.test(seen.url)) return { body: [] };
      refused.push(`${seen.method} ${seen.url} ${seen.body}`.trim());
      return { status: 400, body: { message: `not recorded: ${refused.at(-1)}` } };
    }
    if (!options.repeat) left.splice(at, 1);
    return replyOf(found);
  };
  const server = await serve(handler, { saysVersion: options.made?.["GET /api/v1/version"] !== undefined });
  answeredBy(server.url, "recording");
  let isClosed = false;
  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await server.close();
    // What a mutated answer makes a command ask for is not recorded; the answer to it is an error.
    if (options.repeat) return;
    const rest = left.map(({ label }) => label);
    if (refused.length > 0 || rest.length > 0) {
      throw new Error(`refused: ${JSON.stringify(refused)}; not replayed: ${JSON.stringify(rest)}`);
    }
  }
  atEnd(close);
  return {
    url: server.url,
    lines: () => server.lines(),
    run(line, world = {}) {
      const repo = options.repo === undefined ? {} : { TONGS_REPO: options.repo };
      return tongs(line, {
        ...world,
        env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", ...repo, ...world.env },
      });
    },
    close,
  };
}

/** Whether an exchange was recorded for an error, or for what a list has when there is nothing. */
function isBare({ response: { status, body } }: Exchange): boolean {
  return status >= 300 || body === null || body === "null\n" || (Array.isArray(body) && body.length === 0);
}

function exchangesOf(name: string): Exchange[] {
  const file = fileURLToPath(new URL(`../data/cassettes/${name}.ndjson`, import.meta.url));
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Exchange);
}

function exchange(all: readonly Exchange[], name: string, label: string): Exchange {
  const found = all.find((candidate) => candidate.label === label);
  if (found === undefined) throw new Error(`No exchange of '${name}' is labelled '${label}'`);
  return found;
}

function isSame(request: Exchange["request"], seen: Seen): boolean {
  if (request.method !== seen.method || address(request.path) !== address(seen.url)) return false;
  const { body } = request;
  // For a write without a body tongs sends {}.
  if (body === undefined || body === null || body === "") return seen.body === "" || seen.body === "{}";
  // Each upload has another boundary; the names of its parts are compared.
  if (String(seen.headers["content-type"]).startsWith("multipart/")) return parts(textOf(body)) === parts(seen.body);
  if (typeof body === "string") return body === seen.body;
  try {
    return isDeepStrictEqual(JSON.parse(seen.body), body);
  } catch {
    return false;
  }
}

/** The body of a recorded request, which is in base64 if it is not a text. */
function textOf(body: unknown): string {
  if (typeof body === "object" && body !== null && "base64" in body) {
    return Buffer.from(String(body.base64), "base64").toString("utf8");
  }
  return String(body);
}

/** The names of the parts of a multipart body, and of their files. */
function parts(body: string): string {
  return [...body.matchAll(/ name="([^"]*)"(?:; filename="([^"]*)")?/g)].map(([part]) => part).join();
}

/** Path and query in one spelling. */
function address(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://server");
  const page = searchParams.get("page") ?? "1";
  searchParams.delete("page");
  searchParams.delete("limit");
  searchParams.sort();
  return `${decodeURI(pathname)}?${searchParams}&page=${page}`;
}

/** The answer of an exchange. */
export function replyOf({ label, response }: Exchange): Reply {
  const { status, headers = {}, body } = response;
  const kept = Object.entries(headers).filter(([key]) => !/^(transfer-encoding|content-length|connection)$/i.test(key));
  const reply = { status, headers: Object.fromEntries(kept) };
  const isJson = kept.some(([key, value]) => /^content-type$/i.test(key) && value.includes("json"));
  if (body === null && isJson) return { ...reply, body: "null" };
  if (body === undefined || body === null || body === "") return reply;
  if (typeof body === "number") throw new Error(`The body of '${label}' was not recorded`);
  if (typeof body === "object" && "base64" in body) {
    return { ...reply, body: Buffer.from(String(body.base64), "base64") };
  }
  return { ...reply, body };
}
