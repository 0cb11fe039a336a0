import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  record,
  string,
  time,
  words,
} from "../shape/shape.ts";
import { type User, user } from "./users.ts";

/** The merge styles: the values of `Do`. */
export const mergeStyles = [
  "merge",
  "rebase",
  "rebase-merge",
  "squash",
  "fast-forward-only",
  "manually-merged",
] as const;
export type MergeStyle = (typeof mergeStyles)[number];

/** The caller's permissions in a repository. */
const permission = record({ admin: boolean, push: boolean, pull: boolean });

/** A repository. */
export const repository = record({
  id: integer,
  owner: nullable(user),
  name: string,
  full_name: string,
  description: string,
  empty: boolean,
  private: boolean,
  fork: boolean,
  template: boolean,
  /** A repository. */
  parent: optional(nullable(anything)),
  mirror: boolean,
  size: integer,
  language: string,
  languages_url: string,
  html_url: string,
  url: string,
  link: string,
  ssh_url: string,
  clone_url: string,
  original_url: string,
  website: string,
  stars_count: integer,
  forks_count: integer,
  watchers_count: integer,
  branch_count: optional(integer),
  open_issues_count: integer,
  open_pr_counter: integer,
  release_counter: integer,
  default_branch: string,
  default_target_branch: optional(string),
  archived: boolean,
  created_at: time,
  updated_at: time,
  archived_at: time,
  permissions: optional(nullable(permission)),
  has_code: optional(boolean),
  has_issues: boolean,
  internal_tracker: optional(nullable(anything)),
  external_tracker: optional(nullable(anything)),
  has_wiki: boolean,
  external_wiki: optional(nullable(anything)),
  has_pull_requests: boolean,
  has_projects: boolean,
  projects_mode: optional(string),
  has_releases: boolean,
  has_packages: boolean,
  has_actions: boolean,
  ignore_whitespace_conflicts: boolean,
  allow_merge_commits: boolean,
  allow_rebase: boolean,
  allow_rebase_explicit: boolean,
  allow_squash_merge: boolean,
  allow_fast_forward_only_merge: boolean,
  allow_merge_update: optional(boolean),
  allow_rebase_update: boolean,
  allow_manual_merge: optional(boolean),
  autodetect_manual_merge: optional(boolean),
  default_delete_branch_after_merge: boolean,
  default_merge_style: words(...mergeStyles),
  default_update_style: optional(words("merge", "rebase")),
  default_allow_maintainer_edit: boolean,
  avatar_url: string,
  internal: boolean,
  mirror_interval: string,
  object_format_name: words("sha1", "sha256"),
  mirror_updated: time,
  mirror_last_sync_at: optional(time),
  repo_transfer: optional(nullable(anything)),
  topics: nullable(list(string)),
  licenses: optional(nullable(list(string))),
  wiki_branch: optional(string),
  globally_editable_wiki: optional(boolean),
});

export type Repository = Infer<typeof repository>;

/** The body of `POST /user/repos` and `POST /orgs/{org}/repos`. */
export interface CreateRepoOption {
  readonly name: string;
  readonly description?: string | undefined;
  readonly private?: boolean | undefined;
  readonly auto_init?: boolean | undefined;
  readonly readme?: "Default" | undefined;
  readonly license?: string | undefined;
  readonly gitignores?: string | undefined;
  readonly issue_labels?: string | undefined;
  readonly default_branch?: string | undefined;
  readonly template?: boolean | undefined;
}

/** Repositories. */
export const repos = (http: Http) => ({
  get: (repo: RepoName) => http.get(path`/repos/${repo.owner}/${repo.name}`, { answers: json<Repository>() }),

  ofUser: (user: string) => http.list<Repository>(path`/users/${user}/repos`, { unique: "id" }),

  mine: () => http.list<Repository>(path`/user/repos`, { unique: "id" }),

  create: (body: CreateRepoOption) => http.post(path`/user/repos`, { body, answers: json<Repository>() }),

  createInOrg: (org: string, body: CreateRepoOption) =>
    http.post(path`/orgs/${org}/repos`, { body, answers: json<Repository>() }),

  /** The users who can be assigned to issues and pull requests, without paging. */
  assignable: (repo: RepoName) => http.list<User>(path`/repos/${repo.owner}/${repo.name}/assignees`, { unpaged: true }),

  delete: (repo: RepoName) => http.delete(path`/repos/${repo.owner}/${repo.name}`, { answers: nothing }),
});
