import { listed } from "../http/paging.ts";
import { refuse } from "../http/refusal.ts";
import type { Call } from "../http/route.ts";
import type { UserRecord } from "../state/users.ts";
import { userWire } from "../wire/users.ts";

/** As stored: capitals come before small letters. */
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);

const sorts: Readonly<Record<string, (one: UserRecord, other: UserRecord) => number>> = {
  name: (one, other) => compare(one.name, other.name),
  created: (one, other) => compare(one.created, other.created) || one.id - other.id,
  updated: (one, other) => compare(one.updated, other.updated) || one.id - other.id,
  id: (one, other) => one.id - other.id,
};

/** `GET /admin/users`: people only, filtered and sorted as the query says. */
export function listUsers(call: Call) {
  const { site, query } = call;
  const sort = query.get("sort") ?? "";
  const order = query.get("order") ?? "";
  const by = sort === "" ? sorts["name"] : Object.hasOwn(sorts, sort) ? sorts[sort] : undefined;
  if (by === undefined) refuse(422, `Invalid sort mode: "${sort}"`);
  if (sort !== "" && !["", "asc", "desc"].includes(order)) refuse(422, `Invalid sort order: "${order}"`);
  const visibility = query.get("visibility") ?? "";
  if (!["", "public", "limited", "private"].includes(visibility)) refuse(422, "invalid visibility");
  const turn = sort !== "" && order === "desc" ? -1 : 1;
  const found = site.store
    .table("users")
    .filter((user) => user.kind === "person" && fits(call, user))
    .sort((one, other) => turn * by(one, other));
  return listed(call, found, (user) => userWire(call, user));
}

function fits(call: Call, user: UserRecord): boolean {
  const { query } = call;
  const text = (name: string) => query.get(name) ?? "";
  const is = (name: string, actual: boolean) => text(name) === "" || call.flag(name) === actual;
  const q = text("q").toLowerCase();
  const source = Number.parseInt(text("source_id"), 10) || 0;
  return (
    is("is_admin", user.is_admin) &&
    is("is_active", user.active) &&
    is("is_restricted", user.restricted) &&
    is("is_prohibit_login", user.prohibit_login) &&
    // Nobody has a second factor here.
    is("is_2fa_enabled", false) &&
    (text("visibility") === "" || user.visibility === text("visibility")) &&
    (text("login_name") === "" || user.login_name === text("login_name")) &&
    (source === 0 || user.source_id === source) &&
    (q === "" || [user.name, user.full_name, user.email].some((one) => one.toLowerCase().includes(q)))
  );
}
