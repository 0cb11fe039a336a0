import type { GlobalOptions } from "../command/global-flags.ts";
import type { Listing } from "../http/pages.ts";
import type { ServerContext } from "./context.ts";

/**
 * Collects a listing of parts of one thing (the files of a change, the checks of a commit): all items, or as many as
 * `--limit` says; the default limit does not apply.
 */
export async function collectAll<T>(listing: Listing<T>, options: GlobalOptions): Promise<T[]> {
  const items: T[] = [];
  for await (const item of listing.take(options.limit ?? Number.POSITIVE_INFINITY)) items.push(item);
  return items;
}

/** The login of the signed-in user, from the profile or else from the server (GET /user). */
export async function currentUser({ server, forge }: ServerContext): Promise<string> {
  return server.user ?? (await forge.users.me()).login;
}
