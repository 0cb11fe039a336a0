import { git, gitFolder } from "../git/git.ts";
import { commitOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { found, notFound, refuse } from "../http/reply.ts";
import type { RepoAt, Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { PullRecord, ReviewCommentRecord, ReviewRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { repoNamed } from "../state/repos.ts";
import { isListed, ruleFor } from "../state/rules.ts";
import type { Maker, Store } from "../state/store.ts";
import { baseRepoOf } from "./mergeability.ts";

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
  const [, where = "", name, branch = ""] = /^([^/:]*)(?:\/([^:]*))?:(.*)$/s.exec(text) ?? [];
  if (!text.includes(":")) return { repo: base, branch: text };
  const owner = found(userNamed(site.store, where));
  const repo = name === undefined ? forkOf(site, base, owner) : repoNamed(site.store, owner.id, name);
  if (repo === undefined && name === undefined && !withoutFork)
    refuse(400, `the user ${where} does not have a fork of the base repository`);
  if (repo === undefined || !accessTo(site, currentUser, repo).visible) notFound();
  return { repo, branch };
}

/** The owner's repository in the fork network: the base itself, its parent, or a fork of either. */
function forkOf(site: Site, base: RepoRecord, owner: UserRecord): RepoRecord | undefined {
  if (owner.id === base.ownerId) return base;
  const root = rootOf({ site, repo: base });
  return site.table("repos").find((one) => one.ownerId === owner.id && rootOf({ site, repo: one }) === root);
}

function rootOf({ site, repo }: RepoAt): number {
  const parent = site.table("repos").get(repo.parentId);
  return parent === undefined ? repo.id : rootOf({ site, repo: parent });
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
  await git({ site, repo: base }, ["update-ref", headRef(index), sha]);
}

/** The ref of a pull request's head in the base repository. */
export const headRef = (index: number) => `refs/pull/${index}/head`;

/** Copies a commit to another repository. No ref is created. */
export async function copyCommit(site: Site, from: RepoRecord, to: RepoRecord, sha: string): Promise<void> {
  if (from.id === to.id || (await commitOf({ site, repo: to }, sha)) !== undefined) return;
  await git({ site, repo: to }, ["fetch", "--quiet", "--no-write-fetch-head", gitFolder({ site, repo: from }), sha]);
}

/**
 * Whether a user's review counts for the base branch: the user is on its approvals allowlist or, without one, has write
 * access.
 */
export function isOfficial(site: Site, pull: PullRecord, user: UserRecord): boolean {
  const repo = baseRepoOf(site, pull);
  const settings = ruleFor(site.store, repo.id, pull.pull.base)?.settings;
  if (settings?.enable_approvals_whitelist) return isListed(site.store, settings, "approvals_whitelist", user);
  return accessTo(site, user, repo).atLeast("write", "code");
}

/** Dismisses a user's earlier reviews and review request after a new approval or change request. */
export function supersedeReviews(
  { store }: Site,
  next: Pick<ReviewRecord, "repoId" | "index" | "userId" | "state">,
): void {
  const reviews = store.table("reviews");
  const isVerdict = next.state === "APPROVED" || next.state === "REQUEST_CHANGES";
  for (const review of reviewsOf(store, next.repoId, next.index)) {
    if (review.userId !== next.userId || review.userId === null) continue;
    if (review.state === "REQUEST_REVIEW") reviews.delete(review.id);
    else if (isVerdict && review.state !== "PENDING" && review.state !== "COMMENT") {
      reviews.put({ ...review, official: false, dismissed: true });
    }
  }
}

/** Marks reviews of an older head as stale, and dismisses approvals if the base branch requires it. */
export function markReviewsStale({ store }: Site, pull: PullRecord): void {
  const settings = ruleFor(store, pull.repoId, pull.pull.base)?.settings;
  for (const review of reviewsOf(store, pull.repoId, pull.index)) {
    if (review.commit === "" || review.commit === pull.pull.headSha) continue;
    const isDismissed = settings?.dismiss_stale_approvals === true && review.state === "APPROVED";
    store.table("reviews").put({ ...review, stale: true, dismissed: review.dismissed || isDismissed });
  }
}

/** The reviews of a pull request, oldest first. */
export function reviewsOf(store: Store, repoId: number, index: number): ReviewRecord[] {
  return store.table("reviews").filter((review) => review.repoId === repoId && review.index === index);
}

/** The line comments of a review. */
export function reviewCommentsOf(store: Store, reviewId: number): ReviewCommentRecord[] {
  return store.table("reviewComments").filter((comment) => comment.reviewId === reviewId);
}

/** The latest review or request of each user, oldest first. Pending and dismissed ones are ignored. */
export function latestReviews(reviews: readonly ReviewRecord[]): ReviewRecord[] {
  const byPerson = new Map<number, ReviewRecord>();
  for (const review of reviews) {
    if (review.userId === null || review.state === "PENDING" || review.dismissed) continue;
    byPerson.delete(review.userId);
    byPerson.set(review.userId, review);
  }
  return [...byPerson.values()];
}

/** Creates a review or a review request. */
export function newReview(
  { store, now }: Maker,
  given: Partial<ReviewRecord> & Pick<ReviewRecord, "repoId" | "index" | "state">,
): ReviewRecord {
  const nobody = { userId: null, teamId: null, body: "", commit: "", commentId: 0 };
  const times = { submitted_at: now(), updated_at: now() };
  return store.table("reviews").add({ ...nobody, stale: false, official: false, dismissed: false, ...times, ...given });
}
