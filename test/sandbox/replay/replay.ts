import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { Person } from "../../../src/sandbox/options.ts";
import { startSandbox } from "../../../src/sandbox/serve.ts";
import { type Answer, compare } from "./compare.ts";
import { authorization, type Keys, keyOf } from "./credentials.ts";
import { type Exchange, type Placed, timeline } from "./exchange.ts";
import { isRecord, type Names, names } from "./names.ts";
import { pusher } from "./pusher.ts";
import { pushesOf } from "./pushes.ts";
import type { Step } from "./set-up.ts";
import { setUps } from "./set-ups.ts";
import { signed } from "./signed.ts";
import { unsupportedReason } from "./unsupported.ts";

const delayed = /merged (by the schedule|shortly after)/;

export interface Outcome extends Placed {
  /** Why it was not compared; undefined if it was. */
  readonly skipped: string | undefined;
  readonly wrong: readonly string[];
}

/**
 * Sends the exchanges of files recorded on one server to a new sandbox with the same users, and compares the responses.
 */
export async function replay(files: readonly string[]): Promise<Outcome[]> {
  const exchanges = timeline(files);
  const { people, steps, between = [], delays } = setUps[files[0] ?? ""] ?? { people: [], steps: [] };
  // The sandbox clock follows the recording, so that lists sorted by time have the same order.
  let clock = Date.parse(exchanges[0]?.exchange.response.headers["Date"] ?? "") - 3_600_000;
  const options = {
    port: 0,
    people,
    now: () => new Date(clock),
    env: process.env,
    delays: { autoMerge: 0, ...delays },
  };
  const sandbox = await startSandbox(options);
  const passwords = passwordsOf(people);
  const pushes = await pusher(sandbox.url, passwords, pushesOf[files[0] ?? ""] ?? []);
  try {
    const keys: Keys = {
      tokens: new Map(),
      passwords,
      make: (user, scopes) => makeToken(sandbox.url, passwords, user, scopes),
    };
    const root = sandbox.users.find((user) => user.is_admin);
    if (root) keys.tokens.set(root.login, root.token);
    for (const { name } of people.filter((one) => !one.is_admin)) {
      const path = `/users/${name}/tokens/sandbox`;
      await takeStep(sandbox.url, keys, { as: name, method: "DELETE", path });
    }
    for (const step of steps) await takeStep(sandbox.url, keys, step);
    const known = names();
    const outcomes: Outcome[] = [];
    const addresses = signed(
      exchanges.map(({ exchange }) => exchange),
      async (path, at) => {
        clock = at;
        return queryOf(`${sandbox.url}${known.translatePath(path)}`, passwords);
      },
    );
    for (const { file, index, exchange } of exchanges) {
      const then = Date.parse(exchange.response.headers["Date"] ?? "") || clock;
      // A push happened between the two responses.
      await pushes.before(index, (late) => {
        clock = late === undefined ? clock : then - late;
        return new Date(clock);
      });
      await addresses.upTo(then);
      for (const { step, at } of between.filter((one) => (one.of ?? files[0]) === file && one.before === index)) {
        clock = at === undefined ? then : Date.parse(at);
        await takeStep(sandbox.url, keys, { ...step, path: known.translatePath(step.path) });
      }
      clock = then;
      const skipped = unsupportedReason(exchange);
      const ask = async () => {
        const { path, at } = await addresses.translate(exchange, then);
        clock = at;
        return one(sandbox.url, { ...exchange, request: { ...exchange.request, path } }, keys, known);
      };
      let wrong = skipped === undefined ? await ask() : [];
      // Background work after the response.
      for (let tries = 0; wrong.length > 0 && tries < 40 && delayed.test(exchange.label); tries += 1) {
        await setTimeout(50);
        wrong = await ask();
      }
      outcomes.push({ file, index, exchange, skipped, wrong });
    }
    return outcomes;
  } finally {
    await pushes.close();
    await sandbox.close();
  }
}

function passwordsOf(people: readonly Person[]): Map<string, string> {
  return new Map(
    people.flatMap(({ name, email = "", password }) => [[name, password] as const, [email, password] as const]),
  );
}

/** The query of a signed download URL, requested as the owner of the recorded repositories. */
async function queryOf(url: string, passwords: ReadonlyMap<string, string>): Promise<URLSearchParams> {
  const headers = { Authorization: `Basic ${btoa(`mara:${passwords.get("mara")}`)}` };
  const { headers: told, status } = await fetch(url, { redirect: "manual", headers });
  if (status !== 302) throw new Error(`${url}: ${status}`);
  return new URL(told.get("location") ?? "").searchParams;
}

async function takeStep(url: string, keys: Keys, { as, method, path, body }: Step): Promise<void> {
  const password = keys.passwords.get(as) ?? "";
  const response = await fetch(
    `${url}${/^\/(api|sandbox)\/|\/actions\/runs\/\d+\/(cancel|approve)$/.test(path) ? path : `/api/v1${path}`}`,
    {
      method,
      headers: { Authorization: `Basic ${btoa(`${as}:${password}`)}`, "Content-Type": "application/json" },
      body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body ?? {}),
    },
  );
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

async function makeToken(url: string, passwords: ReadonlyMap<string, string>, user: string, scopes: readonly string[]) {
  const response = await fetch(`${url}/api/v1/users/${user}/tokens`, {
    method: "POST",
    headers: {
      Authorization: `Basic ${btoa(`${user}:${passwords.get(user) ?? ""}`)}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ name: `replay ${scopes.join(" ")}`, scopes }),
  });
  const body = (await response.json()) as { sha1?: string };
  if (body.sha1 === undefined) throw new Error(`no token for ${user}: ${response.status} ${JSON.stringify(body)}`);
  return body.sha1;
}

async function one(url: string, exchange: Exchange, keys: Keys, known: Names): Promise<string[]> {
  const { request: asked } = exchange;
  const header = await authorization(exchange, keys);
  const path = known.translatePath(asked.path);
  const body = bodyOf(asked, known);
  const headers = { ...asked.headers, ...(header === undefined ? {} : { Authorization: header }) };
  const response = await send(`${url}${path}`, asked.method, headers, body);
  const type = response.headers.get("content-type") ?? "";
  const actual: Answer = { ...response, body: parsed(response.body, type, exchange) };
  const recorded: Answer = {
    status: exchange.response.status,
    headers: new Map(Object.entries(exchange.response.headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: exchange.response.body,
  };
  known.learn(asked.path, recorded.body, actual.body);
  keepToken(exchange, actual, keys);
  keepPassword(exchange, actual, keys);
  return compare(translated(recorded, known), withoutTokens(actual, keys));
}

/** The other name of the server in the recordings. The sandbox answers to its own names only, of which this is one. */
const otherHost = "git.example.org";
const ownName = (url: string) => `[::1]:${new URL(url).port}`;

/** `fetch` cannot set the Host header. */
async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
): Promise<Answer & { readonly body: Buffer }> {
  const renamed = headers["Host"] === otherHost;
  const host = renamed ? { Host: ownName(url) } : {};
  const original = (text: string) => (renamed ? text.replaceAll(ownName(url), otherHost) : text);
  const sent = request(url, { method, headers: { ...headers, ...host, Connection: "close" } });
  // Methods without a body get a Content-Length only if there is a body.
  if (body !== undefined) sent.setHeader("Content-Length", body.length);
  else if (method !== "GET" && method !== "HEAD") sent.setHeader("Content-Length", 0);
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const told = Object.entries(response.headers).map(
    ([name, value]) => [name, original([value].flat().join(", "))] as const,
  );
  return {
    status: response.statusCode ?? 0,
    headers: new Map(told),
    body: renamed ? Buffer.from(original(await text(response))) : await buffer(response),
  };
}

function bodyOf({ method, headers, body }: Exchange["request"], known: Names): Uint8Array<ArrayBuffer> | undefined {
  const isBodiless = body === undefined || method === "GET" || method === "HEAD";
  if (isBodiless) return headers["Content-Type"] === undefined || method === "GET" ? undefined : new Uint8Array();
  return new TextEncoder().encode(known.translateBody(typeof body === "string" ? body : JSON.stringify(body)));
}

/** A body as stored in a recording: a file as base64, a large one as its length. */
function parsed(body: Buffer, type: string, { response }: Exchange): unknown {
  const recorded = response.body;
  if (isRecord(recorded) && "base64" in recorded) return { base64: body.toString("base64"), bytes: body.length };
  if (typeof recorded === "string" && /^\d+ bytes$/.test(recorded)) return `${body.length} bytes`;
  const text = body.toString();
  if (!type.startsWith("application/json") || text === "") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Remembers a new token by owner and scopes, and a token deleted by id as deleted. */
function keepToken({ request, response }: Exchange, { status, body }: Answer, { tokens }: Keys): void {
  const [, user, id] = /^\/api\/v1\/users\/([\w-]+)\/tokens(?:\/(\d+))?$/.exec(request.path) ?? [];
  if (user === undefined) return;
  const gone = tokens.get(`${user}, #${id}`);
  if (request.method === "DELETE" && status === 204 && gone !== undefined) tokens.set(`${user}, deleted`, gone);
  if (status !== 201 || !isRecord(body) || !isRecord(response.body)) return;
  const { sha1, scopes } = body;
  if (typeof sha1 !== "string" || !Array.isArray(scopes)) return;
  const key = keyOf(user, scopes.map(String));
  if (!tokens.has(key)) tokens.set(key, sha1);
  tokens.set(`${user}, #${String(response.body["id"])}`, sha1);
}

/** Remembers a password set by an administrator, and the one before it. */
function keepPassword({ request }: Exchange, answer: Answer, { passwords }: Keys): void {
  const { body, path } = request;
  if (answer.status > 201 || !/^\/api\/v1\/admin\/users(\/[\w.-]+)?$/.test(path) || !isRecord(body)) return;
  const name = isRecord(answer.body) ? String(answer.body["login"]).toLowerCase() : "";
  if (typeof body["password"] !== "string" || body["password"] === "") return;
  passwords.set(`${name}, before`, passwords.get(name) ?? "");
  passwords.set(name, body["password"]);
}

/** The recorded response with ids and hashes of the sandbox. */
function translated(recorded: Answer, known: Names): Answer {
  const text = (value: string) => known.translate(value);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
    return value;
  };
  return {
    ...recorded,
    headers: new Map([...recorded.headers].map(([name, value]) => [name, text(value)])),
    body: walk(recorded.body),
  };
}

/** The sandbox's response with tokens redacted as in the recording. */
function withoutTokens(actual: Answer, { tokens }: Keys): Answer {
  const hidden = (text: string) =>
    [...tokens.values()].reduce((rest, token) => rest.replaceAll(token, "<secret>"), text);
  return { ...actual, headers: new Map([...actual.headers].map(([name, value]) => [name, hidden(value)])) };
}
