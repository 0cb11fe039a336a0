import { accessTo } from "../http/access.ts";
import type { Site } from "../site.ts";
import type { PullRecord } from "../state/pulls.ts";
import { type ReviewRecord, reviewsOf } from "../state/reviews.ts";
import { isListed, ruleFor } from "../state/rules.ts";
import type { UserRecord } from "../state/users.ts";
import { baseRepoOf } from "./mergeability.ts";

/** Whether the base's rule counts somebody's review: one of its list, or who may write. */
export function isOfficial(site: Site, pull: PullRecord, user: UserRecord): boolean {
  const repo = baseRepoOf(site, pull);
  const settings = ruleFor(site.store, repo.id, pull.pull.base)?.settings;
  if (settings?.enable_approvals_whitelist) {
    return isListed(site.store, settings, "approvals_whitelist_username", "approvals_whitelist_teams", user);
  }
  return accessTo(site, user, repo).atLeast("write", "code");
}

/** A new verdict of somebody takes the weight from the earlier ones, and answers a request. */
export function supersede({ store }: Site, next: Pick<ReviewRecord, "repoId" | "index" | "userId" | "state">): void {
  const reviews = store.table("reviews");
  const isVerdict = next.state === "APPROVED" || next.state === "REQUEST_CHANGES";
  for (const review of reviewsOf(store, next.repoId, next.index)) {
    if (review.userId !== next.userId || review.userId === null) continue;
    if (review.state === "REQUEST_REVIEW") reviews.delete(review.id);
    else if (isVerdict && review.state !== "PENDING" && review.state !== "COMMENT") {
      reviews.put(review.id, { ...review, official: false, dismissed: true });
    }
  }
}

/** After new commits: reviews of the former head are stale, and approvals fall where the rule says so. */
export function outdateReviews({ store }: Site, pull: PullRecord): void {
  const settings = ruleFor(store, pull.repoId, pull.pull.base)?.settings;
  for (const review of reviewsOf(store, pull.repoId, pull.index)) {
    if (review.commit === "" || review.commit === pull.pull.headSha) continue;
    const falls = settings?.dismiss_stale_approvals === true && review.state === "APPROVED";
    store.table("reviews").put(review.id, { ...review, stale: true, dismissed: review.dismissed || falls });
  }
}
