import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import { type Path, typedPath } from "../http/path.ts";

interface Description {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation that a server's own interface description names. */
export interface Described {
  readonly method: "POST" | "PUT";
  /** With its parameters in braces. */
  readonly template: string;
}

/** The description stands beside `/api`, not below it, and so is reached by a step back. */
const description = typedPath("/api/../swagger.v1.json");

/**
 * Finds writes in the server's own interface description, which is fetched once and only when asked for. For operations
 * that no server has today and a later one may bring.
 */
export function describedWrites(http: Http): (pattern: RegExp) => Promise<Described | undefined> {
  let read: Promise<Description> | undefined;
  return async (pattern) => {
    read ??= http.get(description, { answers: json<Description>() }).catch((error: unknown): Description => {
      // A server may have its description switched off: then it describes nothing.
      if (error instanceof HttpError) return {};
      throw error;
    });
    for (const [template, operations] of Object.entries((await read).paths ?? {})) {
      const method = "post" in operations ? "POST" : "put" in operations ? "PUT" : undefined;
      if (method !== undefined && pattern.test(template)) return { method, template };
    }
    return undefined;
  };
}

/** The path of a described operation, its braces filled in the order in which they stand. */
export function filled(template: string, values: readonly (string | number)[]): Path {
  const left = [...values];
  return typedPath(template.replace(/\{[^}]*\}/g, () => encodeURIComponent(String(left.shift() ?? ""))));
}
