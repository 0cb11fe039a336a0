import type { CreatePullReviewOptions, SubmitPullReviewOptions } from "../../forge/generated/operations.ts";
import { reviewCommentList } from "../../forge/review-comments.ts";
import {
  reviewCreate,
  reviewDelete,
  reviewDismiss,
  reviewList,
  reviewSubmit,
  reviewUndismiss,
} from "../../forge/reviews.ts";
import { hunkAt } from "../git/diff.ts";
import { reviewGet } from "../http/other-operations.ts";
import { listReply } from "../http/paging.ts";
import { empty, json, listed, notFound, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { mergeSoon } from "../pulls/merging.ts";
import { isOfficial, newReview, reviewCommentsOf, reviewsOf, supersedeReviews } from "../pulls/reviews.ts";
import { reviewCommentJson, reviewJson } from "../serializers/pulls.ts";
import type { PullRecord, ReviewRecord, ReviewState } from "../state/records/issues.ts";
import { findPull, pullNotFound, reading, writing } from "./pull-shared.ts";

/** Reviews of pull requests (docs/server-differences.md, "Reviews"). */
export const reviews: Area = {
  routes: [
    route(reviewList, reading, list),
    route(reviewCreate, writing, create),
    route(reviewGet, reading, (call) => json(200, reviewJson(call, findVisibleReview(call)))),
    route(reviewSubmit, writing, submit),
    route(reviewDelete, writing, remove),
    route(reviewCommentList, reading, (call) => {
      const pull = findPull(call);
      const comments = reviewCommentsOf(call.site.store, findVisibleReview(call).id);
      return listed(call, comments, (_call, comment) => reviewCommentJson(call, pull, comment));
    }),
    route(reviewDismiss, writing, (call) => dismiss(call, true)),
    route(reviewUndismiss, writing, (call) => dismiss(call, false)),
  ],
};

/** Lists reviews, oldest first. Pending reviews of other users are counted but not shown. */
function list(call: Call<typeof reading>): Promise<Reply> {
  const pull = findPull(call, pullNotFound(call.repo.id));
  const known = reviewsOf(call.site.store, pull.repoId, pull.index);
  return listReply(call, known, (_call, one) => (isVisible(call, one) ? reviewJson(call, one) : undefined), "total");
}

function isVisible({ currentUser }: Call, review: ReviewRecord): boolean {
  return review.state !== "PENDING" || currentUser?.is_admin === true || currentUser?.id === review.userId;
}

function findVisibleReview(call: Call<typeof reading>): ReviewRecord {
  const pull = findPull(call);
  const id = call.number("id");
  const review = call.table("reviews").get(id);
  if (review === undefined) notFound(`review does not exist [id: ${id}]`);
  const isItsOwn = review.repoId === pull.repoId && review.index === pull.index;
  return isItsOwn && isVisible(call, review) ? review : notFound();
}

const verdicts: readonly string[] = ["APPROVED", "REQUEST_CHANGES", "COMMENT"];

/** The review state for an event; any other event means pending. Throws 422 if the event is not allowed. */
function stateOf(call: Call<typeof writing>, pull: PullRecord, event: string, body: string, hasComments: boolean) {
  const isOwn = pull.posterId === call.currentUser.id;
  if (event === "APPROVED" && isOwn) refuse(422, "approve your own pull is not allowed");
  if (event === "REQUEST_CHANGES" && isOwn) refuse(422, "reject your own pull is not allowed");
  const isBlank = body.trim() === "";
  if (event === "COMMENT" && isBlank && !hasComments) refuse(422, "review event COMMENT requires a body or a comment");
  if (event !== "APPROVED" && event !== "COMMENT" && isBlank) refuse(422, `review event ${event} requires a body`);
  return (verdicts.includes(event) ? event : "PENDING") as ReviewState;
}

async function create(call: Call<typeof writing, CreatePullReviewOptions>): Promise<Reply> {
  const { site, currentUser, body } = call;
  const pull = findPull(call);
  const state = stateOf(call, pull, body.event ?? "", body.body ?? "", (body.comments ?? []).length > 0);
  checkPullOpen(pull, state);
  const target = { ...reviewTarget(pull), userId: currentUser.id, state: "PENDING" } as const;
  // One's pending review is continued.
  const pending = reviewsOf(site.store, pull.repoId, pull.index).find(
    (one) => one.state === "PENDING" && one.userId === currentUser.id,
  );
  const { id } = pending ?? newReview(site, target);
  for (const comment of body.comments ?? []) await addComment(call, pull, id, comment);
  return json(200, reviewJson(call, submitReview(call, pull, id, state, body.body ?? "")));
}

const reviewTarget = ({ repoId, index, pull }: PullRecord) => ({ repoId, index, commit: pull.headSha });

function checkPullOpen(pull: PullRecord, state: ReviewState): void {
  if (pull.state === "closed" && state !== "COMMENT") refuse(422, "can't submit review for a closed or merged PR");
}

type LineComment = NonNullable<Call<typeof writing, CreatePullReviewOptions>["body"]["comments"]>[number];

async function addComment(
  { site, currentUser, repo }: Call<typeof writing, CreatePullReviewOptions>,
  pull: PullRecord,
  reviewId: number,
  given: LineComment,
) {
  const { path = "", body = "", old_position = 0, new_position = 0, extra_lines_count: extra = 0 } = given;
  const line = new_position > 0 ? new_position : -old_position;
  const range = [pull.pull.mergeBase, pull.pull.headSha] as const;
  const id = site.store.nextId("comments");
  const last = line > 0 ? line + extra : line - extra;
  const diff_hunk = path === "" ? "" : await hunkAt({ site, repo }, range, path, last);
  const at = { commit: pull.pull.headSha, diff_hunk, extra_lines_count: extra };
  const times = { created_at: site.now(), updated_at: site.now() };
  site.table("reviewComments").put({ id, reviewId, posterId: currentUser.id, path, body, line, ...at, ...times });
}

/** Submits a pending review. An approval or change request is official if the user may approve. */
function submitReview(
  { site, currentUser }: Call<typeof writing>,
  pull: PullRecord,
  id: number,
  state: ReviewState,
  body: string,
): ReviewRecord {
  const now = site.now();
  const table = site.table("reviews");
  if (state !== "PENDING") supersedeReviews(site, { ...reviewTarget(pull), userId: currentUser.id, state });
  const official = (state === "APPROVED" || state === "REQUEST_CHANGES") && isOfficial(site, pull, currentUser);
  const pending = table.get(id);
  if (pending === undefined) throw new Error(`no review ${id}`);
  const commentId = site.store.nextId("comments");
  mergeSoon(site, pull);
  const { commit } = reviewTarget(pull);
  return table.put({ ...pending, state, body, official, commit, commentId, submitted_at: now, updated_at: now });
}

function submit(call: Call<typeof writing, SubmitPullReviewOptions>): Reply {
  const pull = findPull(call);
  const review = findVisibleReview(call);
  if (review.state !== "PENDING" || review.userId !== call.currentUser.id)
    refuse(422, "only a pending review can be submitted");
  const { event = "", body = "" } = call.body;
  const hasComments = reviewCommentsOf(call.site.store, review.id).length > 0;
  const state = stateOf(call, pull, event, body, hasComments);
  if (state === "PENDING") refuse(422, "review stay pending");
  checkPullOpen(pull, state);
  return json(200, reviewJson(call, submitReview(call, pull, review.id, state, body)));
}

function remove(call: Call<typeof writing>): Reply {
  const { site, currentUser } = call;
  const review = findVisibleReview(call);
  if (review.userId !== currentUser.id && !currentUser.is_admin) refuse(403, "no permission to delete comment");
  site.table("reviewComments").remove(({ reviewId }) => reviewId === review.id);
  site.table("reviews").delete(review.id);
  return empty(204);
}

function dismiss(call: Call<typeof writing>, dismissed: boolean): Reply {
  const { site, access } = call;
  if (!access.atLeast("admin")) refuse(403, "Must be repo admin");
  const pull = findPull(call);
  const review = findVisibleReview(call);
  if (review.state !== "APPROVED" && review.state !== "REQUEST_CHANGES") {
    refuse(403, "not need to dismiss this review because it's type is not Approve or change request");
  }
  mergeSoon(site, pull);
  const next = { ...review, dismissed, updated_at: site.now() };
  return json(200, reviewJson(call, site.table("reviews").put(next)));
}
