import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../src/failure/failure.ts";
import { outcomes as codes } from "../../src/failure/outcomes.ts";
import { outcomeOfStatus } from "../../src/failure/statuses.ts";
import { operationAt, placedOperations } from "../../src/forge/all-operations.ts";
import { explainMissing, explainUnknown } from "../../src/forge/explain-missing.ts";
import { factsAt } from "../../src/forge/facts.ts";
import { asAnswer, isPages, type Operation } from "../../src/forge/operation.ts";
import { type Answer, json } from "../../src/http/answers.ts";
import { UnknownOperationError } from "../../src/http/errors.ts";
import { readItems } from "../../src/http/pages.ts";
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

const top = join(import.meta.dirname, "../..");

describe("what live servers answered", () => {
  const exchanges = recordings();
  let server: TestServer;
  let client: TestClient;
  let reply: Reply;
  beforeAll(async () => {
    server = await serve(() => reply, { saysVersion: true });
    client = clientFor(server.url, {
      retry: { attempts: 1, random: () => 0, now: () => new Date(), sleep: async () => undefined },
      explain: async (error) =>
        error instanceof UnknownOperationError
          ? explainUnknown(error)
          : explainMissing(error, { signedIn: true, exists: async () => true }),
    });
  });
  afterAll(async () => {
    client.close();
  });

  /** What each operation with this method and path makes of the answer: an error, or undefined if it accepts it. */
  async function outcomes(exchange: Exchange) {
    reply = replyOf(exchange);
    const found: { readonly by: string; readonly error: Failure | undefined }[] = [];
    for (const { name: by, operation } of operationsOf(exchange)) {
      const { method } = exchange.request;
      const sent = client.http.send(method, typedPath(pathOf(exchange.request)), { answers: answerOf(operation) });
      found.push({ by, error: await sent.then(() => undefined, failureOf) });
    }
    return found;
  }

  it("is accepted by the operation that it answers, for each operation of the service", async () => {
    const refused: string[] = [];
    const accepted = new Set<string>();
    for (const exchange of exchanges.filter(({ response }) => response.status < 300)) {
      const all = await outcomes(exchange);
      const failed = all.filter(({ error }) => error !== undefined);
      // One path for files and for folders.
      const isAccepted =
        failed.length === 0 || (/\/contents\/./.test(exchange.request.path) && failed[1] === undefined);
      if (!isAccepted) refused.push(`${exchange.label}: ${failed.map(({ by, error }) => `${by}: ${error?.message}`)}`);
      else if (all.length > 0) accepted.add(`${exchange.from} ${shapeOf(exchange)}`);
    }
    expect(refused).toEqual([]);
    const named = readFileSync(join(top, "test/data/service-operations.txt"), "utf8").trim().split("\n");
    const missing = named.flatMap((line) => {
      const [method = "", path = ""] = line.split(" ");
      const { gitea, forgejo = "", until } = factsAt(method, path) ?? {};
      const isOfGitea = gitea !== "-" && until?.gitea === undefined;
      // The recordings are of a Forgejo before 10.0.
      const isOfForgejo = forgejo !== "-" && !(Number(forgejo) >= 10);
      const servers = [isOfGitea ? "gitea" : [], isOfForgejo ? "forgejo" : []].flat();
      const shape = path.replace(/\{[^}]*\}/g, "{}");
      return servers.flatMap((server) => (accepted.has(`${server} ${method} ${shape}`) ? [] : `${server} ${line}`));
    });
    expect(missing.sort()).toEqual([
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
        const isKnown = ["unknown_operation", "not_found", "exists", "quota_exceeded"].includes(error.code);
        const exit = codes[isKnown ? error.code : outcomeOfStatus(exchange.response.status)].exit;
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

/** The operations that can have sent a request. */
function operationsOf({ request: { method, path } }: Exchange) {
  const at = operationAt(method, pathOf({ method, path }).replace("/api/v1", ""));
  return placedOperations.filter((one) => one.operation.method === method && one.path === at?.path);
}

function shapeOf({ request }: Exchange): string {
  const at = operationAt(request.method, pathOf(request).replace("/api/v1", ""));
  return `${request.method} ${at?.path.replace(/\{[^}]*\}/g, "{}")}`;
}

function answerOf({ answers }: Operation): Answer<unknown> {
  if (!isPages(answers)) return asAnswer(answers);
  return { ...json(), largest: 1e8, read: (value) => readItems(answers, value) };
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
