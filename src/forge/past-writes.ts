import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors.ts";
import { typedPath } from "../http/path.ts";

/** A request whose path comes from the journal of writes. */
export interface PastRequest {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** Requests that undo writes, at the paths of these writes. */
export function pastWritesApi(http: Http) {
  return {
    /** What is at a path: a value, null for an answer without content, or undefined if nothing is there. */
    look: async (path: string): Promise<unknown> => {
      try {
        return (await http.send("GET", typedPath(path), { answers: json() })).value;
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },

    /** Edits answer with the record, which the journal keeps: their undo can be undone, too. */
    send: ({ method, path, body }: PastRequest) =>
      http.send(method, typedPath(path), {
        ...(body === undefined ? {} : { body }),
        answers: method === "PATCH" ? json() : nothing,
      }),
  };
}
