import { ownEmailList } from "../../forge/account.ts";
import { reservedNames, reservedOnForgejo } from "../../forge/account-rules.ts";
import { emailList, emailSearch } from "../../forge/admin-users.ts";
import { packageList } from "../../forge/packages.ts";
import { userSearch } from "../../forge/search.ts";
import { currentUserGet, userGet } from "../../forge/users.ts";
import { maySee } from "../http/access.ts";
import { listReply, orderOf, searchReply } from "../http/paging.ts";
import { notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import { userJson } from "../serializers/accounts.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import { by, byName } from "../state/order.ts";
import type { UserRecord } from "../state/records/accounts.ts";

/** Public user profiles and the current user. */
export const users: Area = [
  route(currentUserGet, { signedIn: true }, (call) => userJson(call, call.currentUser)),
  route(ownEmailList, { signedIn: true }, ({ currentUser: { email } }) => [
    { email, verified: true, primary: true, user_id: 0, username: "" },
  ]),
  route(userSearch, {}, search),
  ...[emailList, emailSearch].map((operation) => route(operation, { siteAdmin: true }, emails)),
  // The sandbox has no packages: nobody owns any.
  route(packageList, { user: true, signedIn: true }, (call) => listReply(call, [], String)),
  route(userGet, { user: true }, (call) => {
    if (!maySee(call.site, call.currentUser, call.subject)) notFound();
    return userJson(call, call.subject);
  }),
];

/**
 * Searches users; responds with `{ok, data}`. `q` matches the name, the full name or a visible email address; `uid`
 * selects one user.
 */
function search(call: Call) {
  const uid = Number.parseInt(call.query.get("uid") ?? "", 10) || 0;
  const found = call
    .table("users")
    .filter((user) => user.kind === "person" && maySee(call.site, call.currentUser, user))
    .filter((user) => !isPublicOnly(call.token) || user.visibility === "public")
    .filter((user) =>
      uid > 0 ? user.id === uid : call.matches(user.name, user.full_name, user.hide_email ? "" : user.email),
    )
    .sort(byName);
  return searchReply(call, found, userJson);
}

/** The administrator's list of email addresses. Each user has one. */
function emails(call: Call) {
  const fits = (user: UserRecord) => user.kind === "person" && call.matches(user.email, user.name, user.full_name);
  const found = call
    .table("users")
    .filter(fits)
    .sort(by(({ email }) => email.toLowerCase()));
  return listReply(call, found, (_call, { id: user_id, name: username, email }) => {
    return { email, verified: true, primary: true, user_id, username };
  });
}

/** Upper case sorts before lower case. */
const sorts: Readonly<Record<string, (user: UserRecord) => string | number>> = {
  name: ({ name }) => name,
  created: ({ created }) => Date.parse(created),
  updated: ({ updated }) => Date.parse(updated),
  id: ({ id }) => id,
};

/** `GET /admin/users`: users without organizations, filtered and sorted by the query. */
export function listUsers(call: Call) {
  const { site, query } = call;
  const order = orderOf(query, sorts);
  const visibility = query.get("visibility") ?? "";
  if (!["", "public", "limited", "private"].includes(visibility)) refuse(422, "invalid visibility");
  const found = site
    .table("users")
    .filter((user) => user.kind === "person" && fits(call, user))
    .sort(order);
  return listReply(call, found, userJson);
}

function fits(call: Call, user: UserRecord): boolean {
  const { query } = call;
  const text = (name: string) => query.get(name) ?? "";
  const is = (name: string, actual: boolean) => text(name) === "" || call.flag(name) === actual;
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
    call.matches(user.name, user.full_name, user.email)
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
