import type { GlobalOptions } from "../command/global-flags.ts";
import type { Level } from "../forge/level.ts";
import type { Listing } from "../http/pages.ts";
import type { BaseContext, ServerContext } from "./context.ts";

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

/** Of the flags that name a level at most one. */
export const levelExclusive = [["org", "user", "admin"]] as const;

/** The level that `--org`, `--user` or `--admin` names, or the repository in force. */
export async function levelOf(
  flags: { readonly org: string | undefined; readonly user: boolean; readonly admin: boolean },
  { locate }: Pick<BaseContext, "locate">,
): Promise<Level> {
  if (flags.org !== undefined) return { of: "organization", org: flags.org };
  if (flags.user) return { of: "user" };
  if (flags.admin) return { of: "server" };
  return { of: "repository", repo: await locate() };
}
