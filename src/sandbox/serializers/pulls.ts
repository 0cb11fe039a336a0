import { changedFiles, lineCounts } from "../git/diff.ts";
import { branchTip } from "../git/refs.ts";
import { pathOf, type View } from "../http/route.ts";
import { baseRepoOf, isMergeable } from "../pulls/mergeability.ts";
import { headRef, latestReviews, reviewCommentsOf, reviewsOf } from "../pulls/reviews.ts";
import { recordOf } from "../release.ts";
import { isDraft } from "../state/issues.ts";
import type { PullRecord, ReviewCommentRecord, ReviewRecord } from "../state/records/issues.ts";
import { teamJson } from "./accounts.ts";
import { publicUserJson, sharedJson, userByIdJson } from "./issues.ts";
import { repoJson } from "./repos.ts";

/** The lists of a pull request that are null where they are empty: in a list of pull requests, and alone. */
const nullable = {
  gitea: { listed: ["assignees", "requested_reviewers", "requested_reviewers_teams"], alone: [] },
  forgejo: { listed: ["assignees"], alone: ["assignees"] },
} as const;

const isForgejo = ({ site }: View) => site.release.product === "forgejo";

function withNulls({ site }: View, as: "listed" | "alone", wanted: Record<string, unknown>): Record<string, unknown> {
  const names: readonly string[] = nullable[site.release.product][as];
  const isNull = (name: string) => names.includes(name) && [wanted[name]].flat().length === 0;
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, isNull(name) ? null : value]));
}

/** `PullRequest` with the counts of its diff, as sent for a single one. */
export async function pullJson(view: View, pull: PullRecord): Promise<Record<string, unknown>> {
  return withNulls(view, "alone", { ...(await record(view, pull)), ...(await countsOf(view, pull)) });
}

/** `PullRequest` in lists: without counts. */
export async function listedPullJson(view: View, pull: PullRecord): Promise<Record<string, unknown>> {
  return withNulls(view, "listed", await record(view, pull));
}

async function record(view: View, issue: PullRecord): Promise<Record<string, unknown>> {
  const { site } = view;
  const { pull } = issue;
  const base = baseRepoOf(site, issue);
  const web = `${pathOf(view, base).web}/pulls/${issue.index}`;
  const reviews = reviewsOf(site.store, issue.repoId, issue.index);
  const reviewers = latestReviews(reviews).flatMap(({ userId }) =>
    userId === null ? [] : publicUserJson(view, userId),
  );
  const teams = reviews.flatMap(({ teamId }) => site.table("teams").get(teamId) ?? []);
  const written = reviews.filter(({ commentId }) => commentId !== 0).length;
  return recordOf(site, "PullRequest", sharedJson(view, issue), {
    id: pull.id,
    url: isForgejo(view) ? `${pathOf(view, base).api}/pulls/${issue.index}` : web,
    requested_reviewers: reviewers,
    requested_reviewers_teams: teams.map((team) => teamJson(view, team, "alone")),
    draft: isDraft(issue),
    review_comments: written === 0 ? undefined : written,
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    mergeable: isMergeable(issue),
    merged: pull.merged !== null,
    merged_at: pull.merged?.at ?? null,
    merge_commit_sha: pull.merged?.commit ?? null,
    merged_by: pull.merged && publicUserJson(view, pull.merged.byId),
    allow_maintainer_edit: pull.allowsMaintainers,
    base: {
      label: pull.base,
      ref: pull.base,
      sha: (await branchTip({ site, repo: base }, pull.base)) ?? "",
      repo_id: base.id,
      repo: repoJson(view, base),
    },
    head: await headJson(view, issue),
    merge_base: pull.mergeBase,
  });
}

/** The current head, or what is known of it after the branch or the repository was deleted. */
async function headJson(view: View, { index, pull }: PullRecord) {
  const { site } = view;
  const repo = site.table("repos").get(pull.headRepoId);
  const tip = repo && (await branchTip({ site, repo }, pull.head));
  return {
    label: pull.head,
    ref: tip === undefined ? headRef(index) : pull.head,
    sha: tip ?? pull.headSha,
    repo_id: repo?.id ?? -1,
    repo: repo ? repoJson(view, repo) : null,
  };
}

/** `additions`, `deletions` and `changed_files`; omitted if the head repository was deleted. */
async function countsOf({ site }: View, issue: PullRecord): Promise<Record<string, number>> {
  const { headRepoId, headSha, mergeBase } = issue.pull;
  if (headRepoId === null) return {};
  const files = await changedFiles({ site, repo: baseRepoOf(site, issue) }, mergeBase, headSha);
  return { ...lineCounts(files), changed_files: files.length };
}

const pageOf = (view: View, { repoId, index }: Pick<PullRecord, "repoId" | "index">): string =>
  `${pathOf(view, view.site.table("repos").must(repoId)).web}/pulls/${index}`;

/** `PullReview`, also for a review request. */
export function reviewJson(view: View, review: ReviewRecord): Record<string, unknown> {
  const { store } = view.site;
  const team = store.table("teams").get(review.teamId);
  const page = pageOf(view, review);
  return recordOf(view.site, "PullReview", review, {
    user: review.userId === null ? null : userByIdJson(view, review.userId),
    team: team ? teamJson(view, team) : null,
    commit_id: review.commit,
    comments_count: reviewCommentsOf(store, review.id).length,
    html_url: review.commentId === 0 ? "" : `${page}#issuecomment-${review.commentId}`,
    pull_request_url: page,
  });
}

/** `PullReviewComment`. */
export function reviewCommentJson(view: View, pull: PullRecord, comment: ReviewCommentRecord): Record<string, unknown> {
  const page = pageOf(view, pull);
  return recordOf(view.site, "PullReviewComment", comment, {
    user: userByIdJson(view, comment.posterId),
    pull_request_review_id: comment.reviewId,
    commit_id: comment.commit,
    position: Math.max(comment.line, 0),
    original_position: Math.max(-comment.line, 0),
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: page,
  });
}
