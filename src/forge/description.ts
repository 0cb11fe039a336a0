import { Failure } from "../failure/failure.ts";
import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { BrokenAnswerError, HttpError } from "../http/errors.ts";
import { webPath } from "../http/path.ts";
import { operationsOf } from "./openapi/operations.ts";

/** The description of its API that a server publishes (docs/server-differences.md, "Descriptions"). */
export function descriptionApi(http: Http) {
  return {
    /** The description as the server sent it. Throws a failure with the code `no_description` if there is none. */
    async get(): Promise<unknown> {
      let document: unknown;
      try {
        document = await http.get(webPath`/swagger.v1.json`, { answers: json<unknown>() });
      } catch (error) {
        if (isUnpublished(error)) throw noDescription(error);
        throw error;
      }
      if (operationsOf(document) === undefined) throw noDescription(undefined);
      return document;
    },
  };
}

/** A server that keeps its description to itself answers 401, 403 or 404, or with a page to sign in. */
function isUnpublished(error: unknown): boolean {
  if (error instanceof BrokenAnswerError) return true;
  return error instanceof HttpError && [401, 403, 404, 405].includes(error.exchange.status);
}

function noDescription(cause: unknown): Failure {
  return new Failure("no_description", "The server does not publish a description of its operations", {
    hint: "Run tongs api PATH to send any request.",
    cause,
  });
}

/**
 * The categories of scopes by path; the first row that fits applies (docs/server-differences.md, "Tokens and signing
 * in").
 */
const categories: readonly (readonly [pattern: RegExp, ...names: string[]])[] = [
  [/^\/admin(\/|$)/, "admin"],
  [/^\/user\/(starred|repos)(\/|$)/, "user", "repository"],
  [/^\/users\/[^/]+\/repos$/, "user", "repository"],
  [/^\/user\/orgs$|^\/users\/[^/]+\/orgs(\/|$)/, "user", "organization"],
  [/^\/users?(\/|$)/, "user"],
  [/^\/repos\/issues\/search$/, "issue"],
  [/^\/repos\/[^/]+\/[^/]+\/(issues|labels|milestones)(\/|$)/, "issue"],
  [/^\/repos\/[^/]+\/[^/]+\/notifications$|^\/notifications(\/|$)/, "notification"],
  [/^\/(repos|repositories|topics)(\/|$)/, "repository"],
  [/^\/orgs?\/.|^\/teams(\/|$)/, "organization"],
  [/^\/packages(\/|$)/, "package"],
  [/^\/activitypub(\/|$)/, "activitypub"],
];

/** The scopes that a token needs for an operation whose description names none: `write:issue`. */
export function scopesByPath(method: string, path: string): string[] {
  const below = path.replace(/^\/api\/v1/, "");
  const found = categories.find(([pattern]) => pattern.test(below))?.slice(1) ?? [];
  const names = method === "POST" && below === "/orgs" ? ["organization"] : found;
  const level = method === "GET" || method === "HEAD" ? "read" : "write";
  return names.map((name) => `${level}:${name}`);
}
