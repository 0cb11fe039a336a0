import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { operationFacts } from "../../src/forge/generated/facts.ts";
import { answeredBy } from "../support/requests.ts";
import { type Handler, type Reply, serve } from "../support/server.ts";

/** A recorded exchange of a live server (test/data). */
interface Exchange {
  readonly request: { readonly method: string; readonly path: string };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** A sandbox with recordings for what it does not serve. */
export interface WithRecordings {
  readonly url: string;
  /** The requests that a recording answered. */
  answered(): readonly string[];
  close(): Promise<void>;
}

/** Finds the recorded answer to a request; `isUnknown` if the sandbox does not serve the operation at all. */
type Answers = (method: string, url: string, about: { readonly isUnknown: boolean }) => Reply | undefined;

type Product = "gitea" | "forgejo";

const answers = new Map<Product, Answers>();

/** What was not recorded, or not in the state that an example needs. */
const madeUp: Readonly<Record<string, Reply>> = {
  "GET /newest.json": { body: { version: "9.9.9", url: "https://example.org/tongs" } },
  "GET /api/v1/repos/mara/harbor/archive/v1.2.0.tar.gz": { body: gzipSync("sources") },
  "GET /api/v1/repos/mara/harbor/contents-ext/docs": { body: { dir_contents: [], file_contents: null } },
  // The sandbox takes it for an issue.
  "GET /api/v1/repos/mara/harbor/issues/pinned": { body: [] },
  // The sandbox has the primary one alone.
  "GET /api/v1/user/emails": {
    body: [
      { email: "mara.lind@example.org", verified: true, primary: true, user_id: 0, username: "" },
      { email: "mara@harbor.example.org", verified: true, primary: false, user_id: 0, username: "" },
    ],
  },
};

const data = (name: string) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));

/**
 * A server that sends everything on to a sandbox, and answers what the sandbox refuses or answers with null as a live
 * server answered on the same path, and what the sandbox does not serve at all as a live server answered the same
 * operation on any path; recordings of the product come first. It says the version that is given, or none.
 */
export async function withRecordings(sandbox: string, product: Product, version?: string): Promise<WithRecordings> {
  const answerTo = answers.get(product) ?? recordedAnswers(product);
  answers.set(product, answerTo);
  const answered: string[] = [];
  const handler: Handler = async ({ method, url, headers, body }) => {
    if (version !== undefined && url === "/api/v1/version") return { body: { version } };
    const made = madeUp[`${method} ${url}`];
    if (made !== undefined) {
      answered.push(`${method} ${url}`);
      return made;
    }
    const { authorization, "content-type": type } = headers;
    const kept = { authorization, "content-type": type };
    const sent = Object.entries(kept).filter((one): one is [string, string] => typeof one[1] === "string");
    const response = await fetch(`${sandbox}${url}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(body === "" ? {} : { body }),
      redirect: "manual",
    });
    const content = response.headers.get("content-type") ?? "text/plain";
    // What another server has, the sandbox can take for something else: /actions/runners/jobs for a runner.
    const isOther = response.status === 404 && (version !== undefined || !content.startsWith("application/json"));
    const isUnknown = response.status === 405 || isOther;
    const text = await response.text();
    // The sandbox has no issue templates: null is its list of them.
    const isRefused = !response.ok || text.trim() === "null";
    const other = !isRefused ? undefined : answerTo(method, url, { isUnknown });
    if (other !== undefined) answered.push(`${method} ${url}`);
    return other ?? { status: response.status, headers: { "content-type": content }, body: text };
  };
  const server = await serve(handler, { saysVersion: version !== undefined });
  answeredBy(server.url, "stand-in");
  return { url: server.url, answered: () => answered, close: () => server.close() };
}

/** Finds the answer to a request among the successful exchanges; those of the product come first. */
function recordedAnswers(product: Product): Answers {
  const isOther = (name: string) => Number(name.includes("forgejo") !== (product === "forgejo"));
  const patterns = Object.keys(operationFacts)
    .map((key) => key.split(" "))
    .map(([method = "", path = ""]) => ({ method, path, pattern: patternOf(path) }))
    .sort((one, other) => literals(other.path) - literals(one.path));
  const operationOf = (method: string, path: string) =>
    patterns.find((one) => one.method === method && one.pattern.test(path))?.path ?? path;
  const all = ["cassettes", "exchanges"]
    .flatMap((folder) => readdirSync(data(folder)).map((name) => `${folder}/${name}`))
    // The records of that one fit each other alone (test/commands/recorded.test.ts).
    .filter((name) => name.endsWith(".ndjson") && name !== "cassettes/gitea-1.26.ndjson")
    .sort((one, other) => isOther(one) - isOther(other))
    .flatMap((name) => readFileSync(data(name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as Exchange)
    .filter(({ response: { status, body } }) => status >= 200 && status < 300 && typeof body !== "number")
    .map(({ request: { method, path }, response }) => ({ method, path: bare(path), response }));
  const byPath = new Map<string, Exchange["response"]>();
  const byOperation = new Map<string, Exchange["response"]>();
  for (const { method, path, response } of all) {
    for (const [map, key] of [
      [byPath, `${method} ${path}`],
      [byOperation, `${method} ${operationOf(method, path)}`],
    ] as const) {
      const known = map.get(key);
      if (known === undefined || (isEmpty(known.body) && !isEmpty(response.body))) map.set(key, response);
    }
  }
  return (method, url, { isUnknown }) => {
    const path = bare(url);
    const onAny = isUnknown ? byOperation.get(`${method} ${operationOf(method, path)}`) : undefined;
    const found = byPath.get(`${method} ${path}`) ?? onAny;
    return found && replyOf(found);
  };
}

const bare = (path: string) => decodeURI(path.replace(/\?.*$/, "").replace(/^\/api\/v1/, ""));
const isEmpty = (body: unknown) => body === null || (Array.isArray(body) && body.length === 0);
const literals = (path: string) => path.replace(/\{[^}]*\}/g, "").length;

/** A path as a pattern; a parameter at its end, such as the path of a file, can have slashes. */
function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{[^}]*\}$/, ".+").replace(/\{[^}]*\}/g, "[^/]+")}/?$`);
}

function replyOf({ status, headers = {}, body }: Exchange["response"]): Reply {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const reply = { status, headers: type === undefined ? {} : { "content-type": type } };
  if (body === null || body === "" || body === undefined) return reply;
  if (typeof body === "object" && "base64" in body)
    return { ...reply, body: Buffer.from(String(body.base64), "base64") };
  return { ...reply, body };
}
