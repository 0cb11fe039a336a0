import { Failure } from "../failure/failure.ts";
import { orInstead } from "../forge/listings.ts";
import type { Operation } from "../forge/operation.ts";
import { availableWith } from "../forge/support.ts";
import { UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import type { ServerContext } from "./context.ts";

/**
 * The failure for what the server has no operation for; its hint is the web page that does the same, and the releases that
 * have all of the operations.
 */
export function unsupported(
  what: string,
  page: string,
  context: Pick<ServerContext, "server">,
  ...operations: readonly Operation[]
): Failure {
  return useWebPage(what, page, context, availableWith(operations));
}

/** Runs `work`. Throws an `unknown_operation` failure that names the web page if the server does not have the operation. */
export async function orWebPage<T>(
  what: string,
  page: string,
  context: Pick<ServerContext, "server">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    throw useWebPage(what, page, context, error.available);
  }
}

/** The same for a list, which requests its pages as they are read. */
export function listOrWebPage<T>(
  what: string,
  page: string,
  context: Pick<ServerContext, "server">,
  listing: Listing<T>,
): Listing<T> {
  return orInstead(listing, (error) => orWebPage(what, page, context, () => Promise.reject<never>(error)));
}

function useWebPage(what: string, page: string, { server }: Pick<ServerContext, "server">, available = ""): Failure {
  return new Failure("unknown_operation", `${server.base.host} has no API operation to ${what}`, {
    hint: `Use the web page instead: ${page}\n${available}`.trim(),
  });
}
