import { userCreate, userDelete, userEdit, userList, userRename } from "../../forge/admin-users.ts";
import { max, profileRules, required } from "../http/form.ts";
import { fail, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { userJson } from "../serializers/accounts.ts";
import type { Site } from "../site.ts";
import { isLastAdmin, newUser, ownsOrganization, renameUser } from "../state/accounts.ts";
import type { UserRecord, Visibility } from "../state/records/accounts.ts";
import type { Store } from "../state/store.ts";
import { removeAccount } from "./orgs.ts";
import { deleteRepo } from "./repos.ts";
import { checkUserName, listUsers } from "./users.ts";

const creation = { siteAdmin: true, signedIn: true, body: profileRules } as const;
const editing = {
  siteAdmin: true,
  user: true,
  body: { ...profileRules, login_name: [required], email: [max(254)] },
} as const;
const renaming = { siteAdmin: true, user: true } as const;

/** User management for administrators. */
export const adminUsers: Area = [
  route(userList, { siteAdmin: true }, listUsers),
  route(userCreate, creation, create),
  route(userEdit, editing, edit),
  route(userDelete, { siteAdmin: true, signedIn: true, user: true }, (call) =>
    removeUser(call, call.subject, call.flag("purge")),
  ),
  route(userRename, renaming, rename),
];

const shortest = 8;

function create(call: Call<typeof creation, typeof userCreate>) {
  const { site, body } = call;
  const { source_id = 0, password = "", username, created_at, send_notify: _notify, visibility, ...rest } = body;
  if (source_id !== 0) refuse(422, `login source does not exist [id: ${source_id}]`);
  if (password.length < shortest) refuse(400, "PasswordIsRequired");
  checkUserName(site, username);
  if (body.email.startsWith("-")) refuse(422, `e-mail invalid [email: ${body.email}]`);
  if (findByEmail(site.store, body.email)) refuse(422, `e-mail already in use [email: ${body.email}]`);
  const made = newUser(site, {
    must_change_password: true,
    ...rest,
    name: username,
    password,
    visibility: (visibility as Visibility) || "public",
    ...(created_at === undefined ? {} : { created: timestamp(created_at) }),
  });
  return { ...userJson(call, made), email: made.email.toLowerCase() };
}

function edit(call: Call<typeof editing, typeof userEdit>) {
  const { site, subject, body } = call;
  if (body.source_id) fail(`login source does not exist [id: ${body.source_id}]`);
  if (body.password && body.password.length < shortest) {
    refuse(400, `password must be at least ${shortest} characters`);
  }
  if (body.email !== undefined) checkEmail(site.store, body.email, subject);
  if (body.admin === false && isLastAdmin(site.store, subject)) {
    refuse(400, `can not delete the last admin user [uid: ${subject.id}]`);
  }
  const next = { ...subject, ...changes(body), updated: site.now() };
  return userJson(call, site.table("users").put(next));
}

function changes(body: BodyOf<typeof userEdit>): Partial<UserRecord> {
  const { source_id: _source, admin, password, visibility, ...rest } = body;
  return {
    ...rest,
    ...(admin === undefined ? {} : { is_admin: admin }),
    ...(password ? { password } : {}),
    ...(visibility ? { visibility: visibility as Visibility } : {}),
  };
}

function checkEmail(store: Store, mail: string, subject: UserRecord): void {
  if (mail === "") refuse(400, "e-mail invalid [email: ]");
  if (!mail.includes("@")) refuse(400, `e-mail address contains unsupported character [email: ${mail}]`);
  const holder = findByEmail(store, mail);
  if (holder !== undefined && holder.id !== subject.id) refuse(400, `e-mail already in use [email: ${mail}]`);
}

function findByEmail(store: Store, mail: string): UserRecord | undefined {
  const wanted = mail.toLowerCase();
  return store.table("users").find((user) => user.kind === "person" && user.email.toLowerCase() === wanted);
}

function rename({ site, subject, body }: Call<typeof renaming, typeof userRename>) {
  if (subject.kind === "organization") refuse(422, "target is an organization but not user");
  const name = body.new_username;
  const taken = site.release.product === "forgejo" ? "The username is already taken." : undefined;
  if (name.toLowerCase() !== subject.name.toLowerCase()) checkUserName(site, name, taken);
  renameUser(site.store, subject, name);
}

/**
 * Deletes a user; with `purge` also what the user owns, including organizations without another owner. Throws 422 if
 * something remains.
 */
function removeUser({ site, currentUser }: Call<{ signedIn: true }>, user: UserRecord, purge: boolean): void {
  const { store } = site;
  if (user.kind === "organization") refuse(422, "target is an organization but not user");
  if (user.id === currentUser.id) refuse(422, "you cannot delete yourself");
  if (purge) deleteOwned(site, user);
  const refusal = (what: string) => refuse(422, `user still has ${what} [uid: ${user.id}]`);
  if (store.table("repos").find((repo) => repo.ownerId === user.id)) refusal("ownership of repositories");
  if (memberships(site, user).length > 0) refusal("membership of organizations");
  if (isLastAdmin(store, user)) refuse(422, `can not delete the last admin user [uid: ${user.id}]`);
  removeAccount(site, user);
}

function memberships({ store }: Site, user: UserRecord) {
  return store.table("teams").filter((team) => team.members.includes(user.id));
}

function deleteOwned(site: Site, user: UserRecord): void {
  const { store } = site;
  const repos = (ownerId: number) => store.table("repos").filter((repo) => repo.ownerId === ownerId);
  for (const repo of repos(user.id)) deleteRepo({ site, repo });
  for (const orgId of new Set(memberships(site, user).map((team) => team.orgId))) {
    const others = store.table("teams").filter((team) => team.orgId === orgId && team.permission === "owner");
    const isAlone = !others.some((team) => team.members.some((id) => id !== user.id));
    if (!ownsOrganization(store, orgId, user.id) || !isAlone) continue;
    for (const repo of repos(orgId)) deleteRepo({ site, repo });
    const org = store.table("users").get(orgId);
    if (org !== undefined) removeAccount(site, org);
  }
  for (const team of memberships(site, user)) {
    store.table("teams").put({ ...team, members: team.members.filter((id) => id !== user.id) });
  }
}
