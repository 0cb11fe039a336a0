import { ownEmailList } from "../../forge/account.ts";
import { reservedNames, reservedOnForgejo } from "../../forge/account-rules.ts";
import { allOrgList } from "../../forge/admin.ts";
import { emailList, emailSearch, userBadgeAdd, userBadgeList, userBadgeRemove } from "../../forge/admin-users.ts";
import type { UserBadgeOption } from "../../forge/generated/operations.ts";
import { userSearch } from "../../forge/search.ts";
import { currentUserGet, userGet } from "../../forge/users.ts";
import { maySee } from "../http/access.ts";
import { listReply, pageHeaders, pageOf, searchReply } from "../http/paging.ts";
import { empty, fail, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import { orgJson, userJson } from "../serializers/accounts.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { BadgeRecord, UserRecord } from "../state/records/accounts.ts";

/** Public user profiles and the current user. */
export const users: Area = {
  routes: [
    route(currentUserGet, { signedIn: true }, (call) => json(200, userJson(call, call.currentUser))),
    route(ownEmailList, { signedIn: true }, ({ currentUser: { email } }) =>
      json(200, [{ email, verified: true, primary: true, user_id: 0, username: "" }]),
    ),
    route(userSearch, {}, search),
    route(userGet, { user: true }, (call) => {
      if (!maySee(call.site, call.currentUser, call.subject)) notFound();
      return json(200, userJson(call, call.subject));
    }),
  ],
};

/**
 * Searches users; responds with `{ok, data}`. `q` matches the name, the full name or a visible email address; `uid`
 * selects one user.
 */
function search(call: Call) {
  const q = (call.query.get("q") ?? "").toLowerCase();
  const uid = Number.parseInt(call.query.get("uid") ?? "", 10) || 0;
  const fits = (texts: readonly string[]) => texts.some((text) => text.toLowerCase().includes(q));
  const found = call
    .table("users")
    .filter((user) => user.kind === "person" && maySee(call.site, call.currentUser, user))
    .filter((user) => !isPublicOnly(call.token) || user.visibility === "public")
    .filter((user) =>
      uid > 0 ? user.id === uid : fits([user.name, user.full_name, user.hide_email ? "" : user.email]),
    )
    .sort((one, other) => one.name.toLowerCase().localeCompare(other.name.toLowerCase()));
  return searchReply(call, found, userJson);
}

const needs = { siteAdmin: true } as const;

/** The administrator's lists of organizations and email addresses. Each user has one address. */
export const adminLists: Area = {
  routes: [
    route(allOrgList, needs, (call) => {
      const { store } = call.site;
      const orgs = store.table("users").filter((user) => user.kind === "organization");
      orgs.sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
      return listReply(call, orgs, orgJson);
    }),
    route(emailList, needs, (call) => emails(call, "")),
    route(emailSearch, needs, (call) => emails(call, (call.query.get("q") ?? "").toLowerCase())),
  ],
};

function emails(call: Call, q: string) {
  const fits = (user: UserRecord) =>
    user.kind === "person" && [user.email, user.name, user.full_name].some((text) => text.toLowerCase().includes(q));
  const found = call.table("users").filter(fits);
  found.sort((one, other) => (one.email.toLowerCase() < other.email.toLowerCase() ? -1 : 1));
  return listReply(call, found, (_call, { id, name, email }) => ({
    email,
    verified: true,
    primary: true,
    user_id: id,
    username: name,
  }));
}

/** Compares by code unit: upper case sorts before lower case. */
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);

const sorts: Readonly<Record<string, (one: UserRecord, other: UserRecord) => number>> = {
  name: (one, other) => compare(one.name, other.name),
  created: (one, other) => compare(one.created, other.created) || one.id - other.id,
  updated: (one, other) => compare(one.updated, other.updated) || one.id - other.id,
  id: (one, other) => one.id - other.id,
};

/** `GET /admin/users`: users without organizations, filtered and sorted by the query. */
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
  const found = site
    .table("users")
    .filter((user) => user.kind === "person" && fits(call, user))
    .sort((one, other) => turn * by(one, other));
  return listReply(call, found, userJson);
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
    // The sandbox has no two-factor authentication.
    is("is_2fa_enabled", false) &&
    (text("visibility") === "" || user.visibility === text("visibility")) &&
    (text("login_name") === "" || user.login_name === text("login_name")) &&
    (source === 0 || user.source_id === source) &&
    (q === "" || [user.name, user.full_name, user.email].some((one) => one.toLowerCase().includes(q)))
  );
}

// Gitea 1.26 does not reserve the last one, so that tongs does not refuse it.
const reserved = new Set([...reservedNames, "openapi3.v1.json"]);
const reservedEndings = [".keys", ".gpg", ".rss", ".atom", ".png"];

/** Throws 422 if a name is invalid, reserved or taken, which `taken` says. */
export function checkUserName(
  { store, release }: Site,
  name: string,
  taken = `user already exists [name: ${name}]`,
): void {
  if (!/^[a-zA-Z0-9]+([-_.][a-zA-Z0-9]+)*$/.test(name) && !reserved.has(name)) {
    refuse(422, `name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`);
  }
  const lower = name.toLowerCase();
  if (reserved.has(lower) || (release.product === "forgejo" && reservedOnForgejo.has(lower)))
    refuse(422, `name is reserved [name: ${name}]`);
  const ending = reservedEndings.find((one) => lower.endsWith(one));
  if (ending !== undefined) refuse(422, `name pattern is not allowed [pattern: *${ending}]`);
  if (userNamed(store, name)) refuse(422, taken);
}

const changing = { siteAdmin: true, user: true } as const;

/** Badges of users. The badges themselves are created with the sandbox. */
export const badges: Area = {
  routes: [
    route(userBadgeList, { siteAdmin: true, user: true }, (call) => {
      const held = call.table("badges").filter(({ holders }) => holders.includes(call.subject.id));
      return json(200, held.map(badgeJson), pageHeaders(call, held.length, pageOf(call.query), "total"));
    }),
    route(userBadgeAdd, changing, add),
    route(userBadgeRemove, changing, ({ site, subject, body }) => {
      for (const badge of site.table("badges").filter(({ slug }) => body.badge_slugs.includes(slug))) {
        const holders = badge.holders.filter((id) => id !== subject.id);
        site.table("badges").put({ ...badge, holders });
      }
      return empty(204);
    }),
  ],
};

/** `Badge`. The API sends the field names of the database. */
function badgeJson({ id, slug, description, image_url }: BadgeRecord): Record<string, unknown> {
  return { ID: id, Slug: slug, Description: description, ImageURL: image_url };
}

/** Adds badges. As in Gitea, an unknown badge and one the user already has are 500. */
function add({ site, subject, body }: Call<typeof changing, UserBadgeOption>) {
  const table = site.table("badges");
  for (const slug of body.badge_slugs) {
    const badge = table.find((one) => one.slug === slug);
    if (badge === undefined) fail(`badge does not exist [slug: ${slug}]`);
    if (badge.holders.includes(subject.id)) {
      fail(`user badge already exists [user_id: ${subject.id}, badge_id: ${badge.id}]`);
    }
    table.put({ ...badge, holders: [...badge.holders, subject.id] });
  }
  return empty(204);
}
