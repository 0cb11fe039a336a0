import { randomBytes } from "node:crypto";
import type { EditUserOption } from "../../forge/generated/operations.ts";
import type { TeamRecord, TokenRecord, UserRecord } from "./records/accounts.ts";
import { type Filled, unset } from "./records/fields.ts";
import type { Maker, Store } from "./store.ts";

/** The user with a name, ignoring case. */
export function userNamed(store: Store, name: string): UserRecord | undefined {
  const wanted = name.toLowerCase();
  return store.table("users").find((user) => user.name.toLowerCase() === wanted);
}

/** Whether the user is the only administrator, counting inactive ones. */
export function isLastAdmin(store: Store, user: UserRecord): boolean {
  return user.is_admin && store.table("users").find((one) => one.is_admin && one.id !== user.id) === undefined;
}

/** Renames a user. The old name redirects until another user takes it. */
export function renameUser(store: Store, user: UserRecord, name: string): UserRecord {
  const [before, after] = [user.name.toLowerCase(), name.toLowerCase()];
  if (before !== after) {
    store.table("userRedirects").delete(after);
    store.table("userRedirects").put({ from: before, to: user.id });
  }
  return store.table("users").put({ ...user, name });
}

/** Creates a user with default settings. */
export function newUser({ store, now }: Maker, given: Partial<UserRecord> & { readonly name: string }): UserRecord {
  store.table("userRedirects").delete(given.name.toLowerCase());
  return store.table("users").add({
    ...(unset("EditUserOption") as unknown as Filled<EditUserOption>),
    kind: "person",
    type: "User",
    is_admin: false,
    created: now(),
    updated: now(),
    active: true,
    visibility: "public",
    max_repo_creation: -1,
    allow_create_organization: true,
    repo_admin_change_team_access: false,
    ...given,
  });
}

/** Creates an access token of 40 random hex digits. */
export function newToken({ store, now }: Maker, given: Omit<TokenRecord, "id" | "secret" | "created">): TokenRecord {
  return store.table("tokens").add({ ...given, secret: randomBytes(20).toString("hex"), created: now() });
}

/** Creates a team. */
export function newTeam(
  store: Store,
  given: Partial<TeamRecord> & { readonly orgId: number; readonly name: string },
): TeamRecord {
  return store.table("teams").add({
    description: "",
    permission: "read",
    units: {},
    includes_all_repositories: false,
    can_create_org_repo: false,
    visibility: "limited",
    members: [],
    repos: [],
    ...given,
  });
}

/** The teams of an organization that a user is a member of. */
export function teamsOf(store: Store, orgId: number, userId: number): TeamRecord[] {
  return store.table("teams").filter((team) => team.orgId === orgId && team.members.includes(userId));
}

/** Whether a team has a repository of its organization. */
export const hasRepo = (team: TeamRecord, repo: { readonly id: number; readonly ownerId: number }): boolean =>
  repo.ownerId === team.orgId && (team.includes_all_repositories || team.repos.includes(repo.id));

/** Whether a user is an owner of an organization. */
export function ownsOrganization(store: Store, orgId: number, userId: number): boolean {
  return teamsOf(store, orgId, userId).some((team) => team.permission === "owner");
}
