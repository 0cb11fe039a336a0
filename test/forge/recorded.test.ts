import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitNameOfStatus } from "../../src/failure/exit-codes.ts";
import { Failure } from "../../src/failure/failure.ts";
import { explainMissing } from "../../src/forge/explain-missing.ts";
import type { CallOptions } from "../../src/http/client.ts";
import { type PageCall, pageMismatch } from "../../src/http/pages.ts";
import { typedPath } from "../../src/http/path.ts";
import { clientFor, type TestClient } from "../http/client-for.ts";
import { replyOf } from "../support/cassette.ts";
import { type Reply, serve, type TestServer } from "../support/server.ts";

interface Exchange {
  readonly from: "gitea" | "forgejo";
  readonly label: string;
  readonly request: { readonly method: string; readonly path: string };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** A request that a function of the forge sends; `call` is set for a list. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions<unknown> & { readonly call?: PageCall };
}

/** An operation of docs/operations.tsv, with the functions of the forge that request it. */
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly servers: readonly string[];
  readonly isMission: boolean;
  readonly functions: readonly (Sent & { readonly function: string })[];
}

const top = join(import.meta.dirname, "../..");
const generator = "../../scripts/generate/coverage.mjs";

describe("what live servers answered", () => {
  const exchanges = recordings();
  let operations: readonly Operation[];
  let server: TestServer;
  let client: TestClient;
  let reply: Reply;
  beforeAll(async () => {
    operations = await operationsOfForge();
    server = await serve(() => reply);
    client = clientFor(server.url, {
      retry: { attempts: 1, random: () => 0, now: () => new Date(), sleep: async () => undefined },
      explain: (error) => explainMissing(error, { signedIn: true, exists: async () => true }),
    });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });

  const operationOf = ({ request }: Exchange) =>
    operations.find(({ method, pattern }) => method === request.method && pattern.test(pathOf(request)));

  /** What each function that requests the operation makes of the answer: an error, or undefined if it accepts it. */
  async function outcomes(exchange: Exchange) {
    reply = replyOf(exchange);
    const found: { readonly by: string; readonly error: Failure | undefined }[] = [];
    for (const { function: by, options } of operationOf(exchange)?.functions ?? []) {
      const { method } = exchange.request;
      const sent = client.http.send(method, typedPath(pathOf(exchange.request)), optionsOf(options));
      found.push({ by, error: await sent.then(() => undefined, failureOf) });
    }
    return found;
  }

  it("is accepted by the functions that request it, for each operation of the service", async () => {
    const refused: string[] = [];
    const accepted = new Set<string>();
    for (const exchange of exchanges.filter(({ response }) => response.status < 300)) {
      const all = await outcomes(exchange);
      const failed = all.filter(({ error }) => error !== undefined);
      // One path for files and for folders.
      const isAccepted =
        failed.length === 0 || (/\/contents\/./.test(exchange.request.path) && failed[1] === undefined);
      if (!isAccepted) refused.push(`${exchange.label}: ${failed.map(({ by, error }) => `${by}: ${error?.message}`)}`);
      else if (all.length > 0) accepted.add(`${exchange.from} ${operationOf(exchange)?.name}`);
    }
    expect(refused).toEqual([]);
    const missing = operations
      .filter(({ isMission }) => isMission)
      .flatMap(({ name, servers }) => servers.map((one) => `${one} ${name}`))
      .filter((line) => !accepted.has(line));
    expect(missing.sort()).toEqual([
      // Federation was switched off.
      "gitea GET /activitypub/user-id/{user-id}",
      // Always a redirect.
      "gitea GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip",
    ]);
  });

  it("is an error with a sentence and the exit code of its status, if it is a refusal", async () => {
    const wrong: string[] = [];
    const sentences = new Set<string>();
    // 416 is for those who send a range.
    for (const exchange of exchanges.filter(({ response: { status } }) => status >= 400 && status !== 416)) {
      for (const { by, error } of await outcomes(exchange)) {
        if (error === undefined) continue;
        const isMissing = error.code === "unknown_operation" || error.code === "not_found";
        const exit = isMissing ? "notFound" : exitNameOfStatus(exchange.response.status);
        const isSentence = /^[^\n<]+$/.test(error.message) && !/%!s|Unexpected|\bGet[A-Z]/.test(error.message);
        if (error.exit !== exit || !isSentence) wrong.push(`${by}, ${exchange.label}: ${error.exit} ${error.message}`);
        sentences.add(error.message);
      }
    }
    expect(wrong).toEqual([]);
    expect(sentences.size).toBeGreaterThan(300);
  });
});

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

function pathOf({ path }: Exchange["request"]): string {
  return path.replace(/\?.*$/, "");
}

function optionsOf({ call, answers, since }: Sent["options"]): CallOptions<unknown> {
  const list = { kind: "json", accept: "application/json", largest: 1e8 } as const;
  const expected = call === undefined ? answers : { ...list, mismatch: (value: unknown) => pageMismatch(call, value) };
  return { answers: expected, ...(since === undefined ? {} : { since }) };
}

/** All recordings in test/data whose bodies are there, without texts that were asked for in place of a record. */
function recordings(): Exchange[] {
  const folders = ["test/data/exchanges", "test/data/cassettes"].map((folder) => join(top, folder));
  return folders
    .flatMap((folder) => readdirSync(folder).map((name) => ({ name, file: join(folder, name) })))
    .filter(({ name }) => name.endsWith(".ndjson"))
    .flatMap(({ name, file }) => {
      const from = name.startsWith("forgejo-") ? "forgejo" : "gitea";
      const lines = readFileSync(file, "utf8").trim().split("\n");
      return lines.map((line): Exchange => ({ from, ...(JSON.parse(line) as Omit<Exchange, "from">) }));
    })
    .filter(({ request, response }) => typeof response.body !== "number" && !/[?&]output=/.test(request.path));
}

/** The operations, those with the most literal text first: a parameter also matches the literal text of another one. */
async function operationsOfForge(): Promise<Operation[]> {
  const { sentByFunction } = (await import(generator)) as {
    sentByFunction(): Promise<ReadonlyMap<string, readonly Sent[]>>;
  };
  const sent = [...(await sentByFunction())];
  const [, ...lines] = readFileSync(join(top, "docs/operations.tsv"), "utf8").trim().split("\n");
  const literals = (path: string) => path.replace(/\{[^}]*\}/g, "").length;
  return lines
    .map((line) => line.split("\t"))
    .sort(([, one = ""], [, other = ""]) => literals(other) - literals(one))
    .map(([method = "", path = "", servers = "", mission]) => {
      const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
      const pattern = literal.replace(/\{(filepath|basehead|branch|head)\}$/, ".+").replace(/\{[^}]*\}/g, "[^/]+");
      // The functions were called with stand-ins for all values, which have no fields to copy.
      const texts = literal.replace("{diffType}", "(diff|patch|value)").replace(/\{[^}]*\}/g, "(value[^/]*|undefined)");
      const standIns = new RegExp(`^${texts}/?$`);
      const functions = sent.flatMap(([name, requests]) => {
        const found = requests.find((request) => request.method === method && standIns.test(request.path));
        return found === undefined ? [] : [{ function: name, ...found }];
      });
      const name = `${method} ${path}`;
      const isMission = mission === "mission";
      return {
        name,
        method,
        pattern: new RegExp(`^/api/v1${pattern}/?$`),
        servers: servers.split(","),
        isMission,
        functions,
      };
    });
}
