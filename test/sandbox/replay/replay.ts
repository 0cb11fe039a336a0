import { setTimeout } from "node:timers/promises";
import { type Person, startSandbox } from "../../../src/sandbox/serve.ts";
import { type Answer, compare } from "./compare.ts";
import { authorization, type Keys, keyOf, withQueryToken } from "./credentials.ts";
import { type Exchange, readExchanges } from "./exchange.ts";
import { isRecord, type Names, names } from "./names.ts";
import { outOfReach } from "./out-of-reach.ts";
import { pusher } from "./pusher.ts";
import { pushesOf } from "./pushes.ts";
import { setUps } from "./set-ups.ts";

const delayed = /merged (by the schedule|shortly after)/;

export interface Outcome {
  readonly index: number;
  readonly exchange: Exchange;
  /** `reached`: compared. Otherwise why it was not. */
  readonly skipped: string | undefined;
  readonly wrong: readonly string[];
}

/**
 * Sends the exchanges of a file in order to a fresh sandbox with the same people, and compares the answers. With `only`,
 * those alone whose path it fits.
 */
export async function replay(file: string, only?: RegExp): Promise<Outcome[]> {
  const { people, steps, between = [] } = setUps[file] ?? { people: [], steps: [] };
  // The sandbox's clock shows what the recording's did, so that what is sorted by time is sorted alike.
  let clock = Date.parse(readExchanges(file)[0]?.response.headers["Date"] ?? "") - 3_600_000;
  const options = { port: 0, people, now: () => new Date(clock), env: process.env, delays: { autoMerge: 0 } };
  const sandbox = await startSandbox(options);
  const passwords = passwordsOf(people);
  const pushes = await pusher(sandbox.url, passwords, pushesOf[file] ?? []);
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
    for (const [index, exchange] of readExchanges(file).entries()) {
      const then = Date.parse(exchange.response.headers["Date"] ?? "") || clock;
      // Somewhere between the two answers somebody pushed.
      await pushes.before(index, (late) => {
        clock = late === undefined ? clock : then - late;
        return new Date(clock);
      });
      clock = then;
      for (const { step } of between.filter((one) => one.before === index)) await takeStep(sandbox.url, keys, step);
      const skipped =
        only === undefined || only.test(exchange.request.path) ? outOfReach(exchange, only) : "not asked for";
      const ask = () => one(sandbox.url, exchange, keys, known);
      let wrong = skipped === undefined ? await ask() : [];
      // What the servers do a while after they have answered.
      for (let tries = 0; wrong.length > 0 && tries < 40 && delayed.test(exchange.label); tries += 1) {
        await setTimeout(50);
        wrong = await ask();
      }
      outcomes.push({ index, exchange, skipped, wrong });
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

export interface Step {
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

async function takeStep(url: string, keys: Keys, { as, method, path, body }: Step): Promise<void> {
  const password = keys.passwords.get(as) ?? "";
  const response = await fetch(`${url}${path.startsWith("/api/") ? path : `/api/v1${path}`}`, {
    method,
    headers: { Authorization: `Basic ${btoa(`${as}:${password}`)}`, "Content-Type": "application/json" },
    body: JSON.stringify(body ?? {}),
  });
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
  const { request, auth } = exchange;
  const header = await authorization(exchange, keys);
  const path = await withQueryToken(known.translatePath(request.path), auth, keys);
  const body = bodyOf(request, known);
  const response = await fetch(`${url}${path}`, {
    method: request.method,
    redirect: "manual",
    headers: { ...request.headers, ...(header === undefined ? {} : { Authorization: header }) },
    ...(body === undefined ? {} : { body }),
  });
  const actual: Answer = {
    status: response.status,
    headers: new Map(response.headers),
    body: parsed(await response.text(), response.headers.get("content-type")),
  };
  const recorded: Answer = {
    status: exchange.response.status,
    headers: new Map(Object.entries(exchange.response.headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: exchange.response.body,
  };
  known.learn(request.path, recorded.body, actual.body);
  keepToken(exchange, actual, keys);
  keepPassword(exchange, actual, keys);
  return compare(translated(recorded, known), withoutTokens(actual, keys));
}

function bodyOf({ method, headers, body }: Exchange["request"], known: Names): Uint8Array<ArrayBuffer> | undefined {
  const isBodiless = body === undefined || method === "GET" || method === "HEAD";
  if (isBodiless) return headers["Content-Type"] === undefined || method === "GET" ? undefined : new Uint8Array();
  return new TextEncoder().encode(known.translate(typeof body === "string" ? body : JSON.stringify(body)));
}

function parsed(text: string, type: string | null): unknown {
  if (!type?.startsWith("application/json") || text === "") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A token that was just made is known from now on by its owner and its scopes; one deleted by id as deleted. */
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

/** A password that an administrator set holds from now on; the one before it is remembered. */
function keepPassword({ request }: Exchange, answer: Answer, { passwords }: Keys): void {
  const { body, path } = request;
  if (answer.status > 201 || !/^\/api\/v1\/admin\/users(\/[\w.-]+)?$/.test(path) || !isRecord(body)) return;
  const name = isRecord(answer.body) ? String(answer.body["login"]).toLowerCase() : "";
  if (typeof body["password"] !== "string" || body["password"] === "") return;
  passwords.set(`${name}, before`, passwords.get(name) ?? "");
  passwords.set(name, body["password"]);
}

/** The recorded answer in the sandbox's terms. */
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

/** The sandbox's answer with its tokens hidden, as the recording hides them. */
function withoutTokens(actual: Answer, { tokens }: Keys): Answer {
  const hidden = (text: string) =>
    [...tokens.values()].reduce((rest, token) => rest.replaceAll(token, "<secret>"), text);
  return { ...actual, headers: new Map([...actual.headers].map(([name, value]) => [name, hidden(value)])) };
}
