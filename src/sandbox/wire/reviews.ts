import type { View } from "../http/route.ts";
import type { PullRecord } from "../state/pulls.ts";
import { type ReviewCommentRecord, type ReviewRecord, reviewCommentsOf } from "../state/reviews.ts";
import { personWire } from "./issues.ts";
import { teamWire } from "./orgs.ts";
import { pathOf } from "./paths.ts";

const pageOf = (view: View, { repoId, index }: Pick<PullRecord, "repoId" | "index">): string => {
  const repo = view.site.store.table("repos").get(repoId);
  return repo ? `${pathOf(view, repo).web}/pulls/${index}` : "";
};

/** `PullReview`; the request of one is one, too. */
export function reviewWire(view: View, review: ReviewRecord): Record<string, unknown> {
  const { store } = view.site;
  const team = review.teamId === null ? undefined : store.table("teams").get(review.teamId);
  const page = pageOf(view, review);
  return {
    id: review.id,
    user: review.userId === null ? null : personWire(view, review.userId),
    team: team ? teamWire(view, team) : null,
    state: review.state,
    body: review.body,
    commit_id: review.commit,
    stale: review.stale,
    official: review.official,
    dismissed: review.dismissed,
    comments_count: reviewCommentsOf(store, review.id).length,
    submitted_at: review.submitted_at,
    updated_at: review.updated_at,
    html_url: review.commentId === 0 ? "" : `${page}#issuecomment-${review.commentId}`,
    pull_request_url: page,
  };
}

/** `PullReviewComment`. */
export function reviewCommentWire(view: View, pull: PullRecord, comment: ReviewCommentRecord): Record<string, unknown> {
  const page = pageOf(view, pull);
  return {
    id: comment.id,
    body: comment.body,
    user: personWire(view, comment.posterId),
    resolver: null,
    pull_request_review_id: comment.reviewId,
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    path: comment.path,
    commit_id: comment.commit,
    original_commit_id: "",
    diff_hunk: comment.diff_hunk,
    position: Math.max(comment.line, 0),
    original_position: Math.max(-comment.line, 0),
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: page,
  };
}
