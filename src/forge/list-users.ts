import { UsageError } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { InvalidError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { type AdminUserQuery, userList } from "./admin-users.ts";
import { filterListing, sortListing } from "./listings.ts";
import { call } from "./operation.ts";
import { readsParameter } from "./server-has.ts";
import { availableSince } from "./support.ts";
import type { User } from "./users.ts";

type List = (query: AdminUserQuery) => Listing<User>;

/**
 * The accounts that match a query, in its order. Forgejo and Gitea before 1.26 ignore all but two of the parameters
 * (docs/server-differences.md, "Users: listing"), so the filters are applied again here; those that the record cannot
 * answer need a server that supports them.
 */
export function listUsers(http: Http, query: AdminUserQuery): Listing<User> {
  const list: List = (query) => call(http, userList, query);
  const { sort, order, is_2fa_enabled, source_id, login_name } = query;
  if (sort === undefined && order === undefined && is_2fa_enabled === undefined)
    return filterListing(list(query), matchesQuery(query));
  let chosen: Listing<User> = list(query);
  return {
    async *take(limit) {
      if (await supportsFilters(list)) chosen = filterListing(chosen, matchesQuery(query));
      else {
        if (is_2fa_enabled !== undefined)
          await requireParameter(http, "is_2fa_enabled", "filter users by two-factor authentication");
        const byUpdate = sort === "updated" ? (order === "desc" ? "recentupdate" : "leastupdate") : undefined;
        if (byUpdate !== undefined) await requireParameter(http, "sort", "sort users by last update");
        const found = filterListing(
          list({ source_id, login_name, is_2fa_enabled, sort: byUpdate }),
          matchesQuery(query),
        );
        chosen = sort === undefined || byUpdate !== undefined ? found : sortListing(found, comparator(query));
      }
      yield* chosen.take(limit);
    },
    get total() {
      return chosen.total;
    },
  };
}

/** Throws a usage error for a parameter that the server ignores: the records do not show what it is about. */
async function requireParameter(http: Http, name: "is_2fa_enabled" | "sort", what: string): Promise<void> {
  if (await readsParameter(http, userList, name)) return;
  const { fieldSince } = await import("./facts.ts");
  const since = fieldSince(userList, name);
  throw new UsageError(`This server cannot ${what}`, since && availableSince(since));
}

/** Whether the server has the filters: if so, it rejects an unknown visibility; otherwise it ignores it. */
async function supportsFilters(list: List): Promise<boolean> {
  try {
    for await (const _user of list({ visibility: "nonsense" as "public" }).take(1)) break;
    return false;
  } catch (error) {
    if (error instanceof InvalidError) return true;
    throw error;
  }
}

function matchesQuery(query: AdminUserQuery): (user: User) => boolean {
  const q = query.q?.toLowerCase();
  const is = (wanted: boolean | undefined, actual: boolean | undefined) => wanted === undefined || wanted === actual;
  return (user) =>
    is(query.is_admin, user.is_admin) &&
    is(query.is_active, user.active) &&
    is(query.is_restricted, user.restricted) &&
    is(query.is_prohibit_login, user.prohibit_login) &&
    (query.visibility === undefined || query.visibility === user.visibility) &&
    (q === undefined ||
      [user.login, user.full_name, user.email].some((text) => text?.toLowerCase().includes(q) === true));
}

function comparator({ sort = "name", order = "asc" }: AdminUserQuery): (one: User, other: User) => number {
  const turn = order === "desc" ? -1 : 1;
  if (sort === "id") return (one, other) => turn * ((one.id ?? 0) - (other.id ?? 0));
  if (sort === "created")
    return (one, other) => turn * (Date.parse(one.created ?? "") - Date.parse(other.created ?? ""));
  return (one, other) => turn * one.login.localeCompare(other.login);
}
