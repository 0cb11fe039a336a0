import { changedFiles } from "../git/diff.ts";
import { refsOf } from "../git/refs.ts";
import type { View } from "../http/route.ts";
import { baseRepoOf, isMergeable } from "../pulls/mergeability.ts";
import { headRef, latestReviews, reviewCommentsOf, reviewsOf } from "../pulls/reviews.ts";
import { isDraft } from "../state/issues.ts";
import type { PullRecord, ReviewCommentRecord, ReviewRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { teamWire } from "./accounts.ts";
import { publicUserWire, sharedWire, userByIdWire } from "./issues.ts";
import { repoWire } from "./repos.ts";
import { pathOf } from "./values.ts";

/** `PullRequest` with the counts of its diff, as sent for a single one. */
export async function pullWire(view: View, pull: PullRecord): Promise<Record<string, unknown>> {
  const wire = await record(view, pull, readerOf(view));
  return { ...wire, ...(await countsOf(view, pull)) };
}

/** `PullRequest` in lists: without counts, and with `null` for empty lists of users. */
export async function pullsWire(view: View, pulls: readonly PullRecord[]): Promise<Record<string, unknown>[]> {
  const reader = readerOf(view);
  const nullIfEmpty = (list: unknown) => (Array.isArray(list) && list.length > 0 ? list : null);
  const wires = pulls.map(async (pull) => {
    const wire = await record(view, pull, reader);
    const lists = ["assignees", "requested_reviewers", "requested_reviewers_teams"];
    return { ...wire, ...Object.fromEntries(lists.map((name) => [name, nullIfEmpty(wire[name])])) };
  });
  return Promise.all(wires);
}

/** Reads each repository once per response. */
interface Reader {
  tips(repo: RepoRecord): Promise<ReadonlyMap<string, string>>;
  wire(repo: RepoRecord): Promise<Record<string, unknown>>;
}

function readerOf(view: View): Reader {
  const once = <T>(make: (repo: RepoRecord) => Promise<T>) => {
    const known = new Map<number, Promise<T>>();
    return (repo: RepoRecord): Promise<T> => {
      const made = known.get(repo.id) ?? make(repo);
      known.set(repo.id, made);
      return made;
    };
  };
  return {
    tips: once((repo) => refsOf(view.site, repo, "refs/heads/")),
    wire: once(async (repo) => repoWire(view, repo)),
  };
}

async function record(view: View, issue: PullRecord, reader: Reader): Promise<Record<string, unknown>> {
  const { site } = view;
  const { pull } = issue;
  const base = baseRepoOf(site, issue);
  const web = `${pathOf(view, base).web}/pulls/${issue.index}`;
  const reviews = reviewsOf(site.store, issue.repoId, issue.index);
  const reviewers = latestReviews(reviews).flatMap(({ userId }) =>
    userId === null ? [] : publicUserWire(view, userId),
  );
  const teams = reviews.flatMap(({ teamId }) => (teamId === null ? [] : (site.table("teams").get(teamId) ?? [])));
  const written = reviews.filter(({ commentId }) => commentId !== 0).length;
  const tips = await reader.tips(base);
  return {
    ...sharedWire(view, issue),
    id: pull.id,
    url: web,
    requested_reviewers: reviewers,
    requested_reviewers_teams: teams.map((team) => teamWire(view, team, "alone")),
    draft: isDraft(issue),
    ...(written === 0 ? {} : { review_comments: written }),
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    mergeable: isMergeable(site, issue),
    merged: pull.merged !== null,
    merged_at: pull.merged?.at ?? null,
    merge_commit_sha: pull.merged?.commit ?? null,
    merged_by: pull.merged && publicUserWire(view, pull.merged.byId),
    allow_maintainer_edit: pull.allowsMaintainers,
    base: {
      label: pull.base,
      ref: pull.base,
      sha: tips.get(`refs/heads/${pull.base}`) ?? "",
      repo_id: base.id,
      repo: await reader.wire(base),
    },
    head: await headWire(view, issue, reader),
    merge_base: pull.mergeBase,
  };
}

/** The current head, or what is known of it after the branch or the repository was deleted. */
async function headWire({ site }: View, { index, pull }: PullRecord, reader: Reader) {
  const repo = pull.headRepoId === null ? undefined : site.table("repos").get(pull.headRepoId);
  const tip = repo && (await reader.tips(repo)).get(`refs/heads/${pull.head}`);
  return {
    label: pull.head,
    ref: tip === undefined ? headRef(index) : pull.head,
    sha: tip ?? pull.headSha,
    repo_id: repo?.id ?? -1,
    repo: repo ? await reader.wire(repo) : null,
  };
}

/** `additions`, `deletions` and `changed_files`; omitted if the head repository was deleted. */
async function countsOf({ site }: View, issue: PullRecord): Promise<Record<string, number>> {
  const { headRepoId, headSha, mergeBase } = issue.pull;
  if (headRepoId === null) return {};
  const files = await changedFiles(site, baseRepoOf(site, issue), mergeBase, headSha);
  const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + file[key], 0);
  return { additions: sum("additions"), deletions: sum("deletions"), changed_files: files.length };
}

const pageOf = (view: View, { repoId, index }: Pick<PullRecord, "repoId" | "index">): string => {
  const repo = view.site.table("repos").get(repoId);
  return repo ? `${pathOf(view, repo).web}/pulls/${index}` : "";
};

/** `PullReview`, also for a review request. */
export function reviewWire(view: View, review: ReviewRecord): Record<string, unknown> {
  const { store } = view.site;
  const team = review.teamId === null ? undefined : store.table("teams").get(review.teamId);
  const page = pageOf(view, review);
  return {
    id: review.id,
    user: review.userId === null ? null : userByIdWire(view, review.userId),
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
    user: userByIdWire(view, comment.posterId),
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
