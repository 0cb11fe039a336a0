import { json, nothing, status, stream, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, list, nullable, optional, record, string, time, words } from "../shape/shape.ts";
import type { ChangedFile, Commit } from "./commits.ts";
import { label } from "./labels.ts";
import { milestone } from "./milestones.ts";
import { type MergeStyle, repository } from "./repos.ts";
import { team } from "./teams.ts";
import { user } from "./users.ts";

/** The base or head of a pull request. If the fork was deleted, `repo` is null and `ref` is `refs/pull/N/head`. */
const branchInfo = record({ label: string, ref: string, sha: string, repo_id: integer, repo: nullable(repository) });

/** A pull request. `url` is the web page; API paths use `number`. */
export const pullRequest = record({
  id: integer,
  url: string,
  number: integer,
  user: nullable(user),
  title: string,
  body: string,
  labels: nullable(list(label)),
  milestone: nullable(milestone),
  assignee: nullable(user),
  assignees: nullable(list(user)),
  requested_reviewers: nullable(list(user)),
  requested_reviewers_teams: nullable(list(team)),
  state: words("open", "closed"),
  draft: boolean,
  is_locked: boolean,
  comments: integer,
  review_comments: optional(integer),
  additions: optional(nullable(integer)),
  deletions: optional(nullable(integer)),
  changed_files: optional(nullable(integer)),
  html_url: string,
  diff_url: string,
  patch_url: string,
  mergeable: boolean,
  merged: boolean,
  merged_at: nullable(time),
  merge_commit_sha: nullable(string),
  merged_by: nullable(user),
  allow_maintainer_edit: boolean,
  base: nullable(branchInfo),
  head: nullable(branchInfo),
  merge_base: string,
  due_date: nullable(time),
  created_at: nullable(time),
  updated_at: nullable(time),
  closed_at: nullable(time),
  pin_order: integer,
  content_version: optional(integer),
});

export type PullRequest = Infer<typeof pullRequest>;

/**
 * Filters and sort order of `GET /pulls`; `state` must always be sent
 * (docs/server-differences.md, "Pull requests: listing").
 */
export interface PullQuery {
  readonly state: "open" | "closed" | "all";
  readonly base_branch?: string | undefined;
  readonly sort?: PullSort | undefined;
  readonly milestone?: number | undefined;
  readonly labels?: readonly number[] | undefined;
  readonly poster?: string | undefined;
}

export type PullSort =
  | "oldest"
  | "recentupdate"
  | "recentclose"
  | "leastupdate"
  | "mostcomment"
  | "leastcomment"
  | "priority";

/** The body of `POST /pulls`. */
export interface CreatePullRequestOption {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  /** Milestone id. */
  readonly milestone?: number | undefined;
  /** Label ids. */
  readonly labels?: readonly number[] | undefined;
  /** RFC 3339. */
  readonly due_date?: string | undefined;
  /** Forgejo ignores this and the next two fields. */
  readonly reviewers?: readonly string[] | undefined;
  readonly team_reviewers?: readonly string[] | undefined;
  readonly allow_maintainer_edit?: boolean | undefined;
}

/** The body of `PATCH /pulls/{index}`; absent fields do not change. */
export interface EditPullRequestOption {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly base?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly milestone?: number | undefined;
  readonly labels?: readonly number[] | undefined;
  readonly state?: "open" | "closed" | undefined;
  readonly due_date?: string | undefined;
  readonly unset_due_date?: true | undefined;
  readonly allow_maintainer_edit?: boolean | undefined;
  readonly content_version?: number | undefined;
}

/** The body of a merge. The first four keys are capitalized, which every server accepts. */
export interface MergePullRequestOption {
  readonly Do: MergeStyle;
  readonly MergeTitleField?: string | undefined;
  readonly MergeMessageField?: string | undefined;
  readonly MergeCommitID?: string | undefined;
  readonly head_commit_id?: string | undefined;
  readonly force_merge?: boolean | undefined;
  readonly merge_when_checks_succeed?: boolean | undefined;
  readonly delete_branch_after_merge?: boolean | undefined;
}

/** Pull requests. */
export const pulls = (http: Http) => {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/pulls`;
  const one = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/pulls/${index}`;
  const below = (repo: RepoName, index: number, part: string) => wildcard(one(repo, index), part);

  return {
    /** Pull requests with several of the given labels are repeated by the servers; duplicates are dropped. */
    list: (repo: RepoName, query: PullQuery) =>
      http.list<PullRequest>(all(repo), { query: { ...query }, unique: "id" }),

    get: (repo: RepoName, index: number) => http.get(one(repo, index), { answers: json<PullRequest>() }),

    /** A pull request by its branches, in any state; `head` is `branch`, `owner:branch` or `owner/repo:branch`. */
    byBranches: (repo: RepoName, base: string, head: string) =>
      http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/pulls/${base}`, head), {
        answers: json<PullRequest>(),
      }),

    /** Streams the diff. */
    diff: (repo: RepoName, index: number, options: { readonly binary?: boolean } = {}) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/pulls/${`${index}.diff`}`, { query: options, answers: stream }),

    patch: (repo: RepoName, index: number, options: { readonly binary?: boolean } = {}) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/pulls/${`${index}.patch`}`, { query: options, answers: stream }),

    create: (repo: RepoName, body: CreatePullRequestOption) =>
      http.post(all(repo), { body, answers: json<PullRequest>() }),

    edit: (repo: RepoName, index: number, body: EditPullRequestOption) =>
      http.patch(one(repo, index), { body, answers: json<PullRequest>() }),

    merged: (repo: RepoName, index: number) => http.get(below(repo, index, "merge"), { answers: yesNo }),

    /** 200: merged. 201: automatic merge scheduled. */
    merge: (repo: RepoName, index: number, body: MergePullRequestOption) =>
      http.post(below(repo, index, "merge"), { body, answers: status }),

    cancelAutoMerge: (repo: RepoName, index: number) => http.delete(below(repo, index, "merge"), { answers: nothing }),

    update: (repo: RepoName, index: number, style: "merge" | "rebase" | undefined) =>
      http.post(below(repo, index, "update"), { query: { style }, answers: nothing }),

    /** Newest first. */
    commits: (
      repo: RepoName,
      index: number,
      query: { readonly verification?: boolean; readonly files?: boolean } = {},
    ) => http.list<Commit>(below(repo, index, "commits"), { query, unique: "sha" }),

    files: (repo: RepoName, index: number, query: { readonly whitespace?: string | undefined } = {}) =>
      http.list<ChangedFile>(below(repo, index, "files"), { query, unique: "filename" }),
  };
};
