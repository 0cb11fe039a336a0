import type { GlobalOptions } from "../command/global-flags.ts";
import type { Listing } from "../http/pages.ts";
import type { ServerContext } from "./context.ts";

/**
 * All of a listing whose items are parts of one thing (the files of a change, the checks of a commit): the usual limit
 * does not cut it, only a `--limit` that was typed.
 */
export async function collectAll<T>(listing: Listing<T>, options: GlobalOptions): Promise<T[]> {
  const items: T[] = [];
  for await (const item of listing.take(options.limit ?? Number.POSITIVE_INFINITY)) items.push(item);
  return items;
}

/** The signed-in name: the profile knows it, else the server is asked. */
export async function currentUser({ server, forge }: ServerContext): Promise<string> {
  return server.user ?? (await forge.users.me()).login;
}
