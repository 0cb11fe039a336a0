import { UsageError } from "../failure/failure.ts";
import { InvalidError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import type { AdminUserQuery } from "./admin-users.ts";
import { narrow, sorted } from "./listings.ts";
import type { User } from "./users.ts";

type List = (query: AdminUserQuery) => Listing<User>;

/**
 * The accounts that fit a query, in its order. Servers older than Gitea 1.26, and Forgejo, ignore all but two of the
 * parameters (api-facts 3.2), so what the record tells is checked again here; what it does not tell is asked for only
 * where the server is found to know it.
 */
export function listUsers(list: List, query: AdminUserQuery): Listing<User> {
  const { sort, order, is_2fa_enabled, source_id, login_name } = query;
  if (sort === undefined && order === undefined && is_2fa_enabled === undefined)
    return narrow(list(query), fits(query));
  let chosen: Listing<User> = list(query);
  return {
    async *take(limit) {
      if (await knowsFilters(list)) chosen = narrow(chosen, fits(query));
      else if (is_2fa_enabled !== undefined || sort === "updated") {
        const what = sort === "updated" ? "sort accounts by their last change" : "tell who uses a second factor";
        throw new UsageError(`This server cannot ${what}`, "Gitea can since 1.26.");
      } else chosen = sorted(narrow(list({ source_id, login_name }), fits(query)), comparison(query));
      yield* chosen.take(limit);
    },
    get total() {
      return chosen.total;
    },
  };
}

/** A server that filters refuses a visibility that does not exist; one that does not takes no notice. */
async function knowsFilters(list: List): Promise<boolean> {
  try {
    for await (const _user of list({ visibility: "nonsense" as "public" }).take(1)) break;
    return false;
  } catch (error) {
    if (error instanceof InvalidError) return true;
    throw error;
  }
}

function fits(query: AdminUserQuery): (user: User) => boolean {
  const q = query.q?.toLowerCase();
  const is = (wanted: boolean | undefined, actual: boolean) => wanted === undefined || wanted === actual;
  return (user) =>
    is(query.is_admin, user.is_admin) &&
    is(query.is_active, user.active) &&
    is(query.is_restricted, user.restricted) &&
    is(query.is_prohibit_login, user.prohibit_login) &&
    (query.visibility === undefined || query.visibility === user.visibility) &&
    (q === undefined || [user.login, user.full_name, user.email].some((text) => text.toLowerCase().includes(q)));
}

function comparison({ sort = "name", order = "asc" }: AdminUserQuery): (one: User, other: User) => number {
  const turn = order === "desc" ? -1 : 1;
  if (sort === "id") return (one, other) => turn * (one.id - other.id);
  if (sort === "created") return (one, other) => turn * (Date.parse(one.created) - Date.parse(other.created));
  return (one, other) => turn * one.login.localeCompare(other.login);
}
