import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../src/failure/failure.ts";
import { outcomes as codes } from "../../src/failure/outcomes.ts";
import { outcomeOfStatus } from "../../src/failure/statuses.ts";
import { operationAt } from "../../src/forge/all-operations.ts";
import { explainMissing, explainUnknown } from "../../src/forge/explain-missing.ts";
import { factsAt } from "../../src/forge/facts.ts";
import { UnknownOperationError } from "../../src/http/errors.ts";
import { typedPath } from "../../src/http/path.ts";
import { clientFor, type TestClient } from "../http/client-for.ts";
import { replyOf } from "../support/cassette.ts";
import { answerOf, type Exchange, operationsOf, pathOf, recordings } from "../support/recordings.ts";
import { type Reply, serve, type TestServer } from "../support/server.ts";

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

function shapeOf({ request }: Exchange): string {
  const at = operationAt(request.method, pathOf(request).replace("/api/v1", ""));
  return `${request.method} ${at?.path.replace(/\{[^}]*\}/g, "{}")}`;
}
