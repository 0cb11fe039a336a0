import { git, gitFolder } from "../git/git.ts";
import { commitOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { notFound, refuse } from "../http/reply.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { repoNamed } from "../state/repos.ts";

/** The head of a pull request. */
export interface Head {
  readonly repo: RepoRecord;
  readonly branch: string;
}

/**
 * Resolves `branch`, `owner:branch` or `owner/repo:branch` relative to a base repository. Does not check that the
 * branch exists. Throws 400 or 404 if the repository is not found
 * (docs/server-differences.md, "Pull requests: creating").
 */
export function resolveHead(
  site: Site,
  currentUser: UserRecord | undefined,
  base: RepoRecord,
  text: string,
  withoutFork?: "not found",
): Head {
  const colon = text.indexOf(":");
  if (colon < 0) return { repo: base, branch: text };
  const [where, branch] = [text.slice(0, colon), text.slice(colon + 1)];
  const slash = where.indexOf("/");
  const owner = userNamed(site.store, slash < 0 ? where : where.slice(0, slash));
  if (owner === undefined) notFound();
  const repo = slash < 0 ? forkOf(site, base, owner) : repoNamed(site.store, owner.id, where.slice(slash + 1));
  if (repo === undefined && slash < 0 && !withoutFork)
    refuse(400, `the user ${where} does not have a fork of the base repository`);
  if (repo === undefined || !accessTo(site, currentUser, repo).visible) notFound();
  return { repo, branch };
}

/** The owner's repository in the fork network: the base itself, its parent, or a fork of either. */
function forkOf(site: Site, base: RepoRecord, owner: UserRecord): RepoRecord | undefined {
  if (owner.id === base.ownerId) return base;
  const root = rootOf(site, base);
  return site.store.table("repos").find((one) => one.ownerId === owner.id && rootOf(site, one) === root);
}

function rootOf(site: Site, repo: RepoRecord): number {
  const parent = repo.parentId === null ? undefined : site.store.table("repos").get(repo.parentId);
  return parent === undefined ? repo.id : rootOf(site, parent);
}

/** Stores the head commit in the base repository as `refs/pull/N/head`. */
export async function storeHead(
  site: Site,
  base: RepoRecord,
  index: number,
  from: RepoRecord,
  sha: string,
): Promise<void> {
  await copyCommit(site, from, base, sha);
  await git(site, base, ["update-ref", headRef(index), sha]);
}

/** The ref of a pull request's head in the base repository. */
export const headRef = (index: number) => `refs/pull/${index}/head`;

/** Copies a commit to another repository. No ref is created. */
export async function copyCommit(site: Site, from: RepoRecord, to: RepoRecord, sha: string): Promise<void> {
  if (from.id === to.id || (await commitOf(site, to, sha)) !== undefined) return;
  await git(site, to, ["fetch", "--quiet", "--no-write-fetch-head", gitFolder(site, from), sha]);
}
