import { json, nothing, status, stream, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  boolean,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
  words,
} from "../shape/shape.ts";
import { changedFile, commit } from "./commits.ts";
import { onItsDay } from "./due-dates.ts";
import { label } from "./labels.ts";
import { milestone } from "./milestones.ts";
import { type MergeStyle, repository } from "./repos.ts";
import { team } from "./teams.ts";
import { person } from "./users.ts";

/** The base or head of a pull request. If the fork was deleted, `repo` is null and `ref` is `refs/pull/N/head`. */
const branchInfo = serverRecord(
  "a branch of a pull request",
  {
    label: optional(string),
    ref: string,
    sha: string,
    repo_id: optional(integer),
    repo: optional(
      nullable(
        using(
          repository,
          "owner",
          "name",
          "full_name",
          "ssh_url",
          "default_branch",
          "default_merge_style",
          "default_delete_branch_after_merge",
          "allow_rebase_update",
          "updated_at",
          "archived",
          "permissions",
        ),
      ),
    ),
  },
  ["label", "ref", "sha", "repo_id", "repo"],
);

/** A pull request. `url` is the web page; API paths use `number`. */
export const pullRequest = serverRecord(
  "a pull request",
  {
    id: integer,
    url: string,
    number: integer,
    user: optional(nullable(person)),
    title: string,
    body: optional(string),
    labels: optional(nullable(list(label))),
    milestone: optional(nullable(milestone)),
    assignee: nullable(person),
    assignees: optional(nullable(list(person))),
    requested_reviewers: optional(nullable(list(person))),
    requested_reviewers_teams: optional(nullable(list(team))),
    state: words("open", "closed"),
    draft: optional(boolean),
    is_locked: boolean,
    comments: optional(integer),
    review_comments: optional(integer),
    additions: optional(nullable(integer)),
    deletions: optional(nullable(integer)),
    changed_files: optional(nullable(integer)),
    html_url: optional(string),
    diff_url: string,
    patch_url: string,
    mergeable: optional(boolean),
    merged: boolean,
    merged_at: optional(nullable(time)),
    merge_commit_sha: optional(nullable(string)),
    merged_by: optional(nullable(person)),
    allow_maintainer_edit: optional(boolean),
    base: branchInfo,
    head: branchInfo,
    merge_base: optional(string),
    due_date: optional(nullable(time)),
    created_at: optional(nullable(time)),
    updated_at: optional(nullable(time)),
    closed_at: nullable(time),
    pin_order: integer,
    content_version: optional(integer),
  },
  [
    "number",
    "user",
    "title",
    "body",
    "labels",
    "milestone",
    "assignees",
    "requested_reviewers",
    "requested_reviewers_teams",
    "state",
    "draft",
    "comments",
    "additions",
    "deletions",
    "changed_files",
    "html_url",
    "mergeable",
    "merged",
    "merged_at",
    "merge_commit_sha",
    "merged_by",
    "allow_maintainer_edit",
    "base",
    "head",
    "merge_base",
    "due_date",
    "created_at",
    "updated_at",
    "content_version",
  ],
);

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
export function pullsApi(http: Http) {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/pulls`;
  const one = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/pulls/${index}`;
  const patch = (repo: RepoName, index: number, body: EditPullRequestOption) =>
    http.patch(one(repo, index), { body, answers: json(pullRequest) });
  const below = (repo: RepoName, index: number, part: string) => wildcard(one(repo, index), part);

  return {
    /** Pull requests with several of the given labels are repeated by the servers; duplicates are dropped. */
    list: (repo: RepoName, query: PullQuery) =>
      http.list(all(repo), { items: pullRequest, query: { ...query }, unique: "id" }),

    get: (repo: RepoName, index: number) => http.get(one(repo, index), { answers: json(pullRequest) }),

    /** A pull request by its branches, in any state; `head` is `branch`, `owner:branch` or `owner/repo:branch`. */
    byBranches: (repo: RepoName, base: string, head: string) =>
      http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/pulls/${base}`, head), {
        answers: json(pullRequest),
      }),

    /** Streams the diff. */
    diff: (repo: RepoName, index: number, options: { readonly binary?: boolean } = {}) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/pulls/${`${index}.diff`}`, { query: options, answers: stream }),

    patch: (repo: RepoName, index: number, options: { readonly binary?: boolean } = {}) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/pulls/${`${index}.patch`}`, { query: options, answers: stream }),

    create: async (repo: RepoName, body: CreatePullRequestOption) => {
      const made = await http.post(all(repo), { body, answers: json(pullRequest) });
      return onItsDay(made, body.due_date, made.due_date, (due_date) => patch(repo, made.number, { due_date }));
    },

    edit: async (repo: RepoName, index: number, body: EditPullRequestOption) => {
      const edited = await patch(repo, index, body);
      return onItsDay(edited, body.due_date, edited.due_date, (due_date) => patch(repo, index, { due_date }));
    },

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
    ) => http.list(below(repo, index, "commits"), { items: commit, query, unique: "sha" }),

    files: (repo: RepoName, index: number, query: { readonly whitespace?: string | undefined } = {}) =>
      http.list(below(repo, index, "files"), { items: changedFile, query, unique: "filename" }),
  };
}
