import { randomBytes } from "node:crypto";
import type {
  BadgeRecord,
  PackageRecord,
  StarRecord,
  TeamRecord,
  TokenRecord,
  UserRecord,
} from "./records/accounts.ts";
import type { Store } from "./store.ts";

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
    store.table("userRedirects").put(before, { to: user.id });
  }
  return store.table("users").put(user.id, { ...user, name });
}

/** Creates a user with default settings. */
export function newUser(store: Store, now: string, given: Partial<UserRecord> & { readonly name: string }): UserRecord {
  const id = store.nextId("users");
  store.table("userRedirects").delete(given.name.toLowerCase());
  return store.table("users").put(id, {
    id,
    kind: "person",
    full_name: "",
    email: "",
    password: "",
    login_name: "",
    source_id: 0,
    language: "",
    is_admin: false,
    created: now,
    updated: now,
    restricted: false,
    active: true,
    prohibit_login: false,
    must_change_password: false,
    location: "",
    website: "",
    description: "",
    visibility: "public",
    hide_email: false,
    hide_activity: false,
    theme: "gitea-auto",
    diff_view_style: "",
    max_repo_creation: -1,
    allow_git_hook: false,
    allow_import_local: false,
    allow_create_organization: true,
    repo_admin_change_team_access: false,
    ...given,
  });
}

/** Creates an access token of 40 random hex digits. */
export function newToken(
  store: Store,
  now: string,
  given: { readonly userId: number; readonly name: string; readonly scopes: readonly string[] },
): TokenRecord {
  const id = store.nextId("tokens");
  return store.table("tokens").put(id, { id, ...given, secret: randomBytes(20).toString("hex"), created: now });
}

/** Creates a team. */
export function newTeam(
  store: Store,
  given: Partial<TeamRecord> & { readonly orgId: number; readonly name: string },
): TeamRecord {
  const id = store.nextId("teams");
  return store.table("teams").put(id, {
    id,
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

/** Whether a user is an owner of an organization. */
export function ownsOrganization(store: Store, orgId: number, userId: number): boolean {
  return teamsOf(store, orgId, userId).some((team) => team.permission === "owner");
}

/** Creates a badge. */
export function newBadge(store: Store, slug: string, description: string): BadgeRecord {
  const id = store.nextId("badges");
  return store.table("badges").put(id, { id, slug, description, image_url: "", holders: [] });
}

/** Creates a package version. */
export function newPackage(store: Store, given: Omit<PackageRecord, "id">): PackageRecord {
  const id = store.nextId("packages");
  return store.table("packages").put(id, { id, ...given });
}

/** Deletes all pairs that include a user on either side. */
export function deletePairs(store: Store, name: "follows" | "blocks", userId: number): void {
  const table = store.table(name);
  for (const pair of table.filter((one) => one.userId === userId || one.targetId === userId)) {
    table.delete(`${pair.userId}/${pair.targetId}`);
  }
}

/** Deletes the stars that match. */
export function deleteStars(store: Store, fits: (star: StarRecord) => boolean): void {
  const table = store.table("stars");
  for (const star of table.filter(fits)) table.delete(`${star.userId}/${star.repoId}`);
}

/** Whether either of two users blocks the other. */
export function isBlocked(store: Store, one: number, other: number): boolean {
  const { get } = store.table("blocks");
  return get(`${one}/${other}`) !== undefined || get(`${other}/${one}`) !== undefined;
}
