import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { typedPath } from "../http/path.ts";
import { operationAt } from "./all-operations.ts";
import { collect } from "./listings.ts";
import { asAnswer, isPages } from "./operation.ts";

/** A request whose path comes from the journal of writes. */
export interface PastRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What is at the path of a past write: a value, null for an answer without content, or undefined if nothing is there. */
export async function readPast(http: Http, path: string): Promise<unknown> {
  return (await http.send("GET", typedPath(path), { answers: { ...json(), optional: true } })).value;
}

/** All items of the list at a path. */
export async function listPast(http: Http, path: string): Promise<readonly unknown[]> {
  const answers = operationAt("GET", path.replace("/api/v1", ""))?.operation.answers;
  const { envelope, unpaged = false } = answers !== undefined && isPages(answers) ? answers : {};
  return collect(http.list(typedPath(path), envelope === undefined ? { unpaged } : { unpaged, envelope }));
}

/** Sends the request that undoes a write. A record in its answer is kept in the journal: such an undo can be undone. */
export async function undoPast(http: Http, { method, path, body }: PastRequest): Promise<unknown> {
  const operation = operationAt(method, path.replace(/^\/api\/v1|\?.*$/g, ""))?.operation;
  const hasRecord = method !== "DELETE" && operation !== undefined && asAnswer(operation.answers).kind === "json";
  return (await http.send(method, typedPath(path), { body, answers: hasRecord ? json() : nothing })).value;
}
