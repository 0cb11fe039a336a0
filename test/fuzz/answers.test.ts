import { afterAll, beforeAll, expect, it } from "vitest";
import { Failure } from "../../src/failure/failure.ts";
import { asAnswer, isPages, type Operation } from "../../src/forge/operation.ts";
import { typedPath } from "../../src/http/path.ts";
import { isObject } from "../../src/shape/shape.ts";
import { clientFor, type TestClient } from "../http/client-for.ts";
import { changed, type Mutation, mutationsOf } from "../support/mutating-server.ts";
import { type Exchange, operationsOf, pathOf, recordings } from "../support/recordings.ts";
import { serve } from "../support/server.ts";
import { fuzzSettings } from "./settings.ts";

const { seed, rounds, below } = fuzzSettings(500);

/** An operation with one of its recorded answers, in which one field is otherwise. */
interface Case {
  readonly name: string;
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly mutation: Mutation;
}

let body: string;
let unreadable: string[] = [];
let client: TestClient;
beforeAll(async () => {
  const server = await serve(() => ({ headers: { "content-type": "application/json" }, body }));
  client = clientFor(server.url, { onUnreadable: ({ message }) => unreadable.push(message) });
});
afterAll(() => client.close());

/** What an operation reads: its value, or the sentence of an error, and the records that are left out. */
async function read({ operation, exchange }: Pick<Case, "operation" | "exchange">, sent: string) {
  body = sent;
  unreadable = [];
  const { answers } = operation;
  const path = typedPath(pathOf(exchange.request));
  try {
    if (!isPages(answers)) {
      const { value } = await client.http.send(exchange.request.method, path, { answers: asAnswer(answers) });
      return { value, left: unreadable };
    }
    const found: unknown[] = [];
    for await (const item of client.http.list(path, { ...answers, unpaged: true }).take(1000)) found.push(item);
    return { value: found, left: unreadable };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { error, left: unreadable };
  }
}

/** One answer of each operation, field by field missing, null and of other types. */
async function allCases(): Promise<Case[]> {
  const known = new Set<string>();
  const cases: Case[] = [];
  for (const exchange of recordings()) {
    const { status, body: answer } = exchange.response;
    if (status >= 300 || typeof answer !== "object" || answer === null) continue;
    for (const { name, operation } of operationsOf(exchange)) {
      const kind = isPages(operation.answers) ? "json" : asAnswer(operation.answers).kind;
      if (kind !== "json" || known.has(name)) continue;
      const mutations = mutationsOf("", answer).flatMap((one) => [one, ...plainChanges(one)]);
      if (mutations.length === 0 || (await read({ operation, exchange }, JSON.stringify(answer))).error) continue;
      known.add(name);
      cases.push(...mutations.map((mutation) => ({ name, operation, exchange, mutation })));
    }
  }
  expect(known.size).toBeGreaterThan(250);
  return cases;
}

/** A number as a string of digits, and a word that nobody knows: both are read. */
function plainChanges(mutation: Mutation): Mutation[] {
  const text = mutation.text === "1e300" ? '"17"' : mutation.text === "17" ? '"tide_turned"' : undefined;
  return text === undefined ? [] : [{ ...mutation, text, sameType: true }];
}

/** The value without the field of the first record on the way to a place, which is all that may have changed. */
function without(value: unknown, place: Mutation["place"]): unknown {
  const [key, ...rest] = place;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? without(item, rest) : item));
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** What is wrong with how a changed answer was read. */
async function faultsOf(one: Case): Promise<string[]> {
  const { operation, exchange, mutation } = one;
  const { answers } = operation;
  const before = await read(one, JSON.stringify(exchange.response.body));
  // Not into a map of numbers.
  const isRecord = (value: unknown) =>
    isObject(value) && Object.values(value).some((inner) => typeof inner !== "number");
  const beside = (value: unknown): unknown =>
    isObject(value) && isRecord(value)
      ? { ...value, tide: { high: [1] } }
      : Array.isArray(value)
        ? value.map(beside)
        : value;
  const now = await read(one, changed(beside(exchange.response.body), mutation));
  const field = mutation.place.findLast((part) => typeof part === "string");
  const [first] = mutation.place;
  const isList = mutation.place.every((part) => typeof part === "number" || part === field);
  const namesField = (text: string) => field === undefined || text.includes(String(field)) || isList;
  const isPlain = mutation.text === '"17"' || mutation.text === '"tide_turned"';
  if (isPlain && (now.error !== undefined || now.left.length > 0)) return [`${now.error?.message}${now.left}`];
  if (now.error !== undefined) {
    const isSaid = now.error.code === "broken_answer" && namesField(now.error.message);
    return isSaid ? [] : [`${now.error.code}: ${now.error.message}`];
  }
  const unnamed = now.left.filter((text) => !namesField(text));
  const isEnvelope = isPages(answers) && typeof first === "string";
  const place = isEnvelope ? mutation.place.slice(1) : mutation.place;
  const items = (value: unknown) => (Array.isArray(value) ? value.length : 1);
  const lost = items(before.value) - items(now.value) - now.left.length;
  if (now.left.length > 0 || (isEnvelope && place.length === 0))
    return lost > 0 && place.length > 0 ? ["lost"] : unnamed;
  if (typeof place[0] === "number" && place.length === 1) return lost > 1 ? ["lost"] : unnamed;
  // Fields beside are kept, but for the one that was changed, and what is around it.
  const text = (value: unknown) =>
    JSON.stringify(without(value, place), (key, inner: unknown) => (key === "tide" ? undefined : inner));
  return text(now.value) === text(before.value) ? unnamed : ["changed"];
}

it(`answers of every operation are read, or their field is named, and no list is lost (seed ${seed})`, {
  timeout: 0,
}, async () => {
  const cases = await allCases();
  const chosen = rounds >= cases.length ? cases : Array.from({ length: rounds }, () => cases[below(cases.length)]);
  const found: string[] = [];
  for (const one of chosen) {
    if (one === undefined) continue;
    const wrong = await faultsOf(one);
    const { name, mutation } = one;
    if (wrong.length > 0) found.push(`${name}: ${mutation.place.join(".")} = ${mutation.text}: ${wrong}`.slice(0, 400));
  }
  expect(found).toEqual([]);
});
