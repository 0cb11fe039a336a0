import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors.ts";
import { typedPath } from "../http/path.ts";

/** A request whose path comes from the journal of writes. */
export interface PastRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What is at the path of a past write: a value, null for an answer without content, or undefined if nothing is there. */
export async function readPast(http: Http, path: string): Promise<unknown> {
  try {
    return (await http.send("GET", typedPath(path), { answers: json() })).value;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Sends the request that undoes a write. Edits answer with the record, which the journal keeps: their undo can be undone. */
export function undoPast(http: Http, { method, path, body }: PastRequest): Promise<unknown> {
  return http.send(method, typedPath(path), { body, answers: method === "PATCH" ? json() : nothing });
}
