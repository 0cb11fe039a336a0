import type { Site } from "../site.ts";
import { teamsOf } from "../state/accounts.ts";
import type { AccessLevel, UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord, UnitSwitch } from "../state/records/repos.ts";
import { refuse } from "./reply.ts";

/** A unit of a repository that permissions apply to. */
export type Unit = "code" | "issues" | "pulls" | "releases" | "wiki" | "projects" | "packages" | "actions";

const rank: Readonly<Record<AccessLevel, number>> = { none: 0, read: 1, write: 2, admin: 3, owner: 4 };
const units: readonly Unit[] = ["code", "issues", "pulls", "releases", "wiki", "projects", "packages", "actions"];
const switchOf = (unit: Unit): UnitSwitch => (unit === "pulls" ? "has_pull_requests" : `has_${unit}`);

/** The access of a user to a repository. */
export interface Access {
  /** The level for the whole repository, without per-unit team permissions. */
  readonly level: AccessLevel;
  of(unit: Unit): AccessLevel;
  atLeast(word: AccessLevel, unit?: Unit): boolean;
  /** Whether anything in the repository is readable. */
  readonly visible: boolean;
}

/** The access of a user, or of an anonymous one, to a repository. */
export function accessTo(site: Site, user: UserRecord | undefined, repo: RepoRecord): Access {
  const byUnit = new Map<Unit, AccessLevel>();
  const level = levelOf(site, user, repo, byUnit);
  const of = (unit: Unit): AccessLevel => {
    if (!repo.units[switchOf(unit)]) return "none";
    const special = byUnit.get(unit) ?? "none";
    return rank[special] > rank[level] ? special : level;
  };
  const atLeast = (word: AccessLevel, unit?: Unit) => rank[unit === undefined ? level : of(unit)] >= rank[word];
  return { level, of, atLeast, visible: rank[level] > 0 || units.some((unit) => atLeast("read", unit)) };
}

function levelOf(
  site: Site,
  user: UserRecord | undefined,
  repo: RepoRecord,
  byUnit: Map<Unit, AccessLevel>,
): AccessLevel {
  const owner = site.table("users").get(repo.ownerId);
  let level: AccessLevel = !repo.private && owner !== undefined && readsOpen(site, user, owner) ? "read" : "none";
  if (user === undefined) return level;
  if (user.is_admin || user.id === repo.ownerId) return "owner";
  const raise = (word: AccessLevel) => {
    if (rank[word] > rank[level]) level = word;
  };
  raise(site.table("collaborations").get(`${repo.id}/${user.id}`)?.access ?? "none");
  for (const team of teamsOf(site.store, repo.ownerId, user.id)) {
    if (team.permission === "owner") raise("owner");
    if (!team.includes_all_repositories && !team.repos.includes(repo.id)) continue;
    if (team.permission === "admin") raise("admin");
    for (const unit of units) {
      const word = team.units[`repo.${unit}`] ?? "none";
      if (rank[word] > rank[byUnit.get(unit) ?? "none"]) byUnit.set(unit, word);
    }
  }
  return level;
}

/** Gitea shows restricted users what is public, Forgejo only what is their own. */
function readsOpen(site: Site, user: UserRecord | undefined, owner: UserRecord): boolean {
  if (user?.restricted !== true) return maySee(site, user, owner);
  return site.release.product === "gitea" && owner.visibility === "public";
}

/** The access of a user, or of an anonymous one, to the packages of an account. */
export function packageAccess(site: Site, user: UserRecord | undefined, owner: UserRecord): AccessLevel {
  if (user?.is_admin || user?.id === owner.id) return "owner";
  let level: AccessLevel = maySee(site, user, owner) ? "read" : "none";
  for (const { permission, units } of user === undefined ? [] : teamsOf(site.store, owner.id, user.id)) {
    const word = permission === "owner" || permission === "admin" ? permission : (units["repo.packages"] ?? "none");
    if (rank[word] > rank[level]) level = word;
  }
  return level;
}

/** Whether an access level includes another one. */
export const includesLevel = (level: AccessLevel, word: AccessLevel): boolean => rank[level] >= rank[word];

/** Throws 403 if one of the accounts blocks the caller, unless the caller administers the repository. */
export function refuseBlocked(
  { site, currentUser, access }: { readonly site: Site; readonly currentUser: UserRecord; readonly access: Access },
  ...by: readonly number[]
): void {
  if (access.atLeast("admin")) return;
  const { get } = site.table("blocks");
  if (by.some((id) => get(`${id}/${currentUser.id}`) !== undefined)) refuse(403, "user is blocked");
}

/** Whether a user or an organization is visible to a viewer. */
export function maySee(site: Site, viewer: UserRecord | undefined, user: UserRecord): boolean {
  if (user.visibility === "public" || viewer?.is_admin || viewer?.id === user.id) return true;
  if (viewer === undefined) return false;
  return user.visibility === "limited" || teamsOf(site.store, user.id, viewer.id).length > 0;
}
