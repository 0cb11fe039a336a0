import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { typedPath } from "../http/path.ts";
import { operationAt } from "./all-operations.ts";
import { collect } from "./listings.ts";
import { isPages } from "./operation.ts";

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

/** Sends the request that undoes a write. Edits answer with the record, which the journal keeps: their undo can be undone. */
export async function undoPast(http: Http, { method, path, body }: PastRequest): Promise<unknown> {
  const sent = await http.send(method, typedPath(path), { body, answers: method === "PATCH" ? json() : nothing });
  return sent.value;
}
