import { Failure } from "../failure/failure.ts";
import { json } from "../http/answers.ts";
import type { Described, Http } from "../http/client.ts";
import { BrokenAnswerError, HttpError } from "../http/errors.ts";
import { anything } from "../shape/shape.ts";
import { type DescribedOperation, operationsOf } from "./openapi/operations.ts";
import { call, operation } from "./operation.ts";
import { scopesOf } from "./scopes.ts";
import { shapeOf } from "./support.ts";

/** The maximum size of a description, in bytes: those of servers have one million. */
const maxDescription = 32 * 1024 * 1024;

const descriptionGet = operation("GET", "/swagger.v1.json", {
  web: true,
  open: true,
  answers: json(anything, maxDescription),
});

/**
 * The description of its API that a server publishes, as it was sent (docs/server-differences.md, "Descriptions"). Throws a
 * failure with the code `no_description` if there is none.
 */
export async function readDescription(http: Http): Promise<unknown> {
  let document: unknown;
  try {
    document = await call(http, descriptionGet, {});
  } catch (error) {
    if (isUnpublished(error)) throw noDescription(error);
    throw error;
  }
  if (operationsOf(document) === undefined) throw noDescription(undefined);
  return document;
}

/** Reduces a description to the names in it, in lower case. */
export function reducedTo(operations: readonly DescribedOperation[]): Described {
  const entries = operations.map(({ method, path, parameters, body }) => {
    const query = parameters.flatMap((one) => (one.in === "query" ? [one.name] : []));
    const names = [...query, ...(body?.schema.fields.keys() ?? [])].map((name) => name.toLowerCase());
    return [shapeOf(`${method} ${path.replace(/^\/api\/v1(?=\/)/, "")}`), names] as const;
  });
  return Object.fromEntries(entries);
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

/** The scopes that a token needs for an operation whose description names none: `write:issue`. */
export function scopesByPath(method: string, path: string): string[] {
  const level = method === "GET" || method === "HEAD" ? "read" : "write";
  return scopesOf(method, path.replace(/^\/api\/v1/, ""))
    .flat()
    .map((area) => `${level}:${area}`);
}
