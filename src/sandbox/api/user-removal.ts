import { refuse } from "../http/refusal.ts";
import type { Call } from "../http/route.ts";
import type { Site } from "../site.ts";
import { ownsOrganization } from "../state/teams.ts";
import { isLastAdmin, type UserRecord } from "../state/users.ts";
import { removeOrganization } from "./orgs.ts";
import { deleteRepo } from "./repos.ts";

/** Deletes an account; with `purge` also what it owns, and the organizations that nobody else owns. */
export function removeUser({ site, me }: Call<{ signedIn: true }>, user: UserRecord, purge: boolean): void {
  const { store } = site;
  if (user.kind === "organization") refuse(422, "target is an organization but not user");
  if (user.id === me.id) refuse(422, "you cannot delete yourself");
  if (purge) takeBelongings(site, user);
  const refusal = (what: string) => refuse(422, `user still has ${what} [uid: ${user.id}]`);
  if (store.table("repos").find((repo) => repo.ownerId === user.id)) refusal("ownership of repositories");
  if (memberships(site, user).length > 0) refusal("membership of organizations");
  if (store.table("packages").find((one) => one.ownerId === user.id)) refusal("ownership of packages");
  if (isLastAdmin(store, user)) refuse(422, `can not delete the last admin user [uid: ${user.id}]`);
  for (const area of site.areas) area.userDeleted?.(site, user);
  for (const { id } of store.table("tokens").filter(({ userId }) => userId === user.id)) {
    store.table("tokens").delete(id);
  }
  for (const one of store.table("collaborations").filter(({ userId }) => userId === user.id)) {
    store.table("collaborations").delete(`${one.repoId}/${one.userId}`);
  }
  store.table("users").delete(user.id);
}

function memberships({ store }: Site, user: UserRecord) {
  return store.table("teams").filter((team) => team.members.includes(user.id));
}

function takeBelongings(site: Site, user: UserRecord): void {
  const { store } = site;
  const repos = (ownerId: number) => store.table("repos").filter((repo) => repo.ownerId === ownerId);
  for (const repo of repos(user.id)) deleteRepo(site, repo);
  for (const orgId of new Set(memberships(site, user).map((team) => team.orgId))) {
    const others = store.table("teams").filter((team) => team.orgId === orgId && team.permission === "owner");
    const isAlone = !others.some((team) => team.members.some((id) => id !== user.id));
    if (!ownsOrganization(store, orgId, user.id) || !isAlone) continue;
    for (const repo of repos(orgId)) deleteRepo(site, repo);
    const org = store.table("users").get(orgId);
    if (org !== undefined) removeOrganization(site, org);
  }
  for (const team of memberships(site, user)) {
    store.table("teams").put(team.id, { ...team, members: team.members.filter((id) => id !== user.id) });
  }
  for (const { id } of store.table("packages").filter(({ ownerId }) => ownerId === user.id)) {
    store.table("packages").delete(id);
  }
}
