import { reviewCommentList } from "../../forge/review-comments.ts";
import {
  reviewCreate,
  reviewDelete,
  reviewDismiss,
  reviewerRemove,
  reviewerRequest,
  reviewList,
  reviewSubmit,
  reviewUndismiss,
} from "../../forge/reviews.ts";
import { hunkAt } from "../git/diff.ts";
import { accessTo } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { json, listed, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, other, route } from "../http/route.ts";
import { mergeSoon } from "../pulls/merging.ts";
import { isOfficial, newReview, reviewCommentsOf, reviewsOf, supersedeReviews } from "../pulls/reviews.ts";
import { reviewCommentJson, reviewJson } from "../serializers/pulls.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { TeamRecord, UserRecord } from "../state/records/accounts.ts";
import type { PullRecord, ReviewRecord, ReviewState } from "../state/records/issues.ts";
import { findPull, pullNotFound, reading, writing } from "./pulls.ts";

/** Reviews of pull requests (docs/server-differences.md, "Reviews"). */
export const reviews: Area = [
  route(reviewList, reading, list),
  route(reviewCreate, writing, create),
  route(other("GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}"), reading, (call) =>
    reviewJson(call, findVisibleReview(call)),
  ),
  route(reviewSubmit, writing, submit),
  route(reviewDelete, writing, remove),
  route(reviewCommentList, reading, (call) => {
    const pull = findPull(call);
    const comments = reviewCommentsOf(call.site.store, findVisibleReview(call).id);
    return listed(call, comments, (_call, comment) => reviewCommentJson(call, pull, comment));
  }),
  route(reviewDismiss, writing, (call) => dismiss(call, true)),
  route(reviewUndismiss, writing, (call) => dismiss(call, false)),
];

/** Lists reviews, oldest first. Pending reviews of other users are counted but not shown. */
function list(call: Call<typeof reading>) {
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

async function create(call: Call<typeof writing, typeof reviewCreate>) {
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

type LineComment = NonNullable<Call<typeof writing, typeof reviewCreate>["body"]["comments"]>[number];

async function addComment(
  { site, currentUser, repo }: Call<typeof writing, typeof reviewCreate>,
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
  const commentId = site.store.nextId("comments");
  mergeSoon(site, pull);
  const { commit } = reviewTarget(pull);
  return table.put({ ...table.must(id), state, body, official, commit, commentId, submitted_at: now, updated_at: now });
}

function submit(call: Call<typeof writing, typeof reviewSubmit>) {
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

function remove(call: Call<typeof writing>) {
  const { site, currentUser } = call;
  const review = findVisibleReview(call);
  if (review.userId !== currentUser.id && !currentUser.is_admin) refuse(403, "no permission to delete comment");
  site.table("reviewComments").remove(({ reviewId }) => reviewId === review.id);
  site.table("reviews").delete(review.id);
}

function dismiss(call: Call<typeof writing>, dismissed: boolean) {
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

/** Users and teams to request reviews from. */
export interface Reviewers {
  readonly people: readonly UserRecord[];
  readonly teams: readonly TeamRecord[];
}

/** Review requests: requesting and withdrawing reviews by users and teams. */
export const reviewRequests: Area = [
  route(reviewerRequest, writing, (call) => {
    const { pull, reviewers } = checkRequest(call);
    if (pull.state === "closed" && reviewers.people.length > 0) {
      refuse(403, "cannot request a re-review on a closed or merged PR");
    }
    return requestReviews(call.site, pull, reviewers).map((review) => reviewJson(call, review));
  }),
  route(reviewerRemove, writing, withdraw),
];

function checkRequest(call: Call<typeof writing, typeof reviewerRequest>): {
  readonly pull: PullRecord;
  readonly reviewers: Reviewers;
} {
  const { site, repo, currentUser, access, body } = call;
  const pull = findPull(call, pullNotFound(repo.id));
  const reviewers = resolveReviewers(call, body.reviewers ?? [], body.team_reviewers ?? []);
  const refused = (why: string) => refuse(422, `${why} [user_id: ${currentUser.id}, repo_id: ${repo.id}]`);
  const mayChoose = !repo.archived && (access.atLeast("write", "pulls") || pull.posterId === currentUser.id);
  const isAdding = call.method === "POST";
  for (const user of reviewers.people) {
    if (isAdding && !accessTo(site, user, repo).atLeast("read", "pulls")) refused("Reviewer can't read");
    if (isAdding && user.id === pull.posterId) refused("poster of pr can't be reviewer");
    const isOwnRequest = !isAdding && user.id === currentUser.id;
    if (!mayChoose && !isOwnRequest) refused(`Doer can't ${isAdding ? "choose" : "remove"} reviewer`);
  }
  if (reviewers.teams.length > 0 && !mayChoose) refused(`Doer can't ${isAdding ? "choose" : "remove"} reviewer`);
  return { pull, reviewers };
}

/**
 * Resolves users by name or email address and teams by name. Teams are ignored if a user owns the repository. Throws
 * 404 for an unknown name.
 */
export function resolveReviewers(
  { site, owner }: Pick<Call<typeof writing>, "site" | "owner">,
  names: readonly string[],
  teamNames: readonly string[],
): Reviewers {
  const people = names.map((name) => {
    const byMail = (user: UserRecord) => user.kind === "person" && user.email.toLowerCase() === name.toLowerCase();
    const user = name.includes("@") ? site.table("users").find(byMail) : userNamed(site.store, name);
    return user ?? notFound(`user doesn't exist: ${name}`);
  });
  if (owner.kind !== "organization") return { people, teams: [] };
  const teams = teamNames.map((name) => {
    const isMeant = (team: TeamRecord) => team.orgId === owner.id && team.name.toLowerCase() === name.toLowerCase();
    return site.table("teams").find(isMeant) ?? notFound(`team doesn't exist: ${name}`);
  });
  return { people, teams };
}

const isOpenRequest = (review: ReviewRecord) => review.state === "REQUEST_REVIEW";

/** Adds missing review requests. Earlier official reviews of requested users no longer count. */
export function requestReviews(site: Site, pull: PullRecord, { people, teams }: Reviewers): ReviewRecord[] {
  const { store } = site;
  const known = reviewsOf(store, pull.repoId, pull.index);
  const place = { repoId: pull.repoId, index: pull.index, state: "REQUEST_REVIEW" } as const;
  const ofPeople = people
    .filter(({ id }) => !known.some((review) => isOpenRequest(review) && review.userId === id))
    .map((user) => {
      const official = isOfficial(site, pull, user);
      for (const review of known.filter((one) => official && one.userId === user.id && one.official)) {
        store.table("reviews").put({ ...review, official: false });
      }
      return newReview(site, { ...place, userId: user.id, official });
    });
  const ofTeams = teams
    .filter(({ id }) => !known.some((review) => review.teamId === id))
    .map((team) => newReview(site, { ...place, teamId: team.id }));
  return [...ofPeople, ...ofTeams];
}

/** Withdraws requests. A reviewer without a request is ignored. An earlier approval or change request counts again. */
function withdraw(call: Call<typeof writing, typeof reviewerRequest>) {
  const { store } = call.site;
  const { pull, reviewers } = checkRequest(call);
  const isNamed = ({ userId, teamId }: ReviewRecord) =>
    reviewers.people.some(({ id }) => id === userId) || reviewers.teams.some(({ id }) => id === teamId);
  for (const review of reviewsOf(store, pull.repoId, pull.index)) {
    if (!isOpenRequest(review) || !isNamed(review)) continue;
    store.table("reviews").delete(review.id);
    const verdicts = reviewsOf(store, pull.repoId, pull.index).filter(
      (one) => one.userId === review.userId && (one.state === "APPROVED" || one.state === "REQUEST_CHANGES"),
    );
    const last = verdicts.at(-1);
    if (last && review.official) store.table("reviews").put({ ...last, official: true });
  }
}
