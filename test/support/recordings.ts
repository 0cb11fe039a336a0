import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationAt, placedOperations } from "../../src/forge/all-operations.ts";
import { asAnswer, isPages, type Operation } from "../../src/forge/operation.ts";
import { type Answer, json } from "../../src/http/answers.ts";
import { readItems } from "../../src/http/pages.ts";

/** A request that was recorded, with the answer of a live server. */
export interface Exchange {
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

/** The path of a request, without its query. */
export function pathOf({ path }: Exchange["request"]): string {
  return path.replace(/\?.*$/, "");
}

/** The operations that can have sent a request. */
export function operationsOf({ request: { method, path } }: Exchange) {
  const at = operationAt(method, pathOf({ method, path }).replace("/api/v1", ""));
  return placedOperations.filter((one) => one.operation.method === method && one.path === at?.path);
}

/** What the HTTP layer reads the answer of an operation as; of a list, each page. */
export function answerOf({ answers }: Operation): Answer<unknown> {
  if (!isPages(answers)) return asAnswer(answers);
  return { ...json(), largest: 1e8, read: (value) => readItems(answers, value) };
}

/** All recordings in test/data whose bodies are there, without texts that were asked for in place of a record. */
export function recordings(): Exchange[] {
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
