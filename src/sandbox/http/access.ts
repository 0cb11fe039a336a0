import type { Site } from "../site.ts";
import { hasRepo, teamsOf } from "../state/accounts.ts";
import { openPulls } from "../state/issues.ts";
import type { AccessLevel, UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";

/** A unit of a repository that permissions apply to. */
export type Unit = "code" | "issues" | "pulls" | "releases" | "wiki" | "projects" | "packages" | "actions";

const rank: Readonly<Record<AccessLevel, number>> = { none: 0, read: 1, write: 2, admin: 3, owner: 4 };
const units: readonly Unit[] = ["code", "issues", "pulls", "releases", "wiki", "projects", "packages", "actions"];
const isOn = (repo: RepoRecord, unit: Unit) => (unit === "pulls" ? repo.has_pull_requests : repo[`has_${unit}`]);

/** The access of a user to a repository. */
export interface Access {
  /** The level for the whole repository, without per-unit team permissions. */
  readonly level: AccessLevel;
  of(unit: Unit): AccessLevel;
  atLeast(word: AccessLevel, unit?: Unit): boolean;
  /** Whether anything in the repository is readable. */
  readonly visible: boolean;
}

const highest = (...words: readonly AccessLevel[]): AccessLevel =>
  words.reduce((one, other) => (rank[other] > rank[one] ? other : one), "none");

/** The access of a user, or of an anonymous one, to a repository. */
export function accessTo(site: Site, user: UserRecord | undefined, repo: RepoRecord): Access {
  const owner = site.table("users").get(repo.ownerId);
  const isOpen = !repo.private && owner !== undefined && readsOpen(site, user, owner);
  const teams = user === undefined ? [] : teamsOf(site.store, repo.ownerId, user.id);
  const here = teams.filter((team) => hasRepo(team, repo));
  const isOwner = user?.is_admin || user?.id === repo.ownerId || teams.some(({ permission }) => permission === "owner");
  const given = site.table("collaborations").get(`${repo.id}/${user?.id}`)?.access ?? "none";
  const byTeam = here.some(({ permission }) => permission === "admin") ? "admin" : "none";
  const level = isOwner ? "owner" : highest(isOpen ? "read" : "none", given, byTeam);
  const of = (unit: Unit) =>
    isOn(repo, unit) ? highest(level, ...here.map((team) => team.units[`repo.${unit}`] ?? "none")) : "none";
  const atLeast = (word: AccessLevel, unit?: Unit) => rank[unit === undefined ? level : of(unit)] >= rank[word];
  return { level, of, atLeast, visible: rank[level] > 0 || units.some((unit) => atLeast("read", unit)) };
}

/** Gitea shows restricted users what is public, Forgejo only what is their own. */
function readsOpen(site: Site, user: UserRecord | undefined, owner: UserRecord): boolean {
  if (user?.restricted !== true) return maySee(site, user, owner);
  return site.release.product === "gitea" && owner.visibility === "public";
}

/** The branches of a fork that a user may push to because an open pull request allows edits by maintainers. */
export function maintainedBranches(site: Site, fork: RepoRecord, user: UserRecord): string[] {
  return openPulls(site.store).flatMap(({ repoId, pull }) => {
    const base = repoId === fork.id ? undefined : site.table("repos").get(repoId);
    const isAllowed = base && pull.headRepoId === fork.id && pull.allowsMaintainers;
    return isAllowed && accessTo(site, user, base).atLeast("write", "code") ? [pull.head] : [];
  });
}

/** Whether a user or an organization is visible to a viewer. */
export function maySee(site: Site, viewer: UserRecord | undefined, user: UserRecord): boolean {
  if (user.visibility === "public" || viewer?.is_admin || viewer?.id === user.id) return true;
  if (viewer === undefined) return false;
  return user.visibility === "limited" || teamsOf(site.store, user.id, viewer.id).length > 0;
}
