import { Failure } from "../failure/failure.ts";
import { exists, nothing } from "../http/answers.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  listed,
  map,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
  words,
} from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { user, userGet } from "./users.ts";

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
const permission = serverRecord("permissions", {
  push: optional(boolean),
  pull: optional(boolean),
  admin: optional(boolean),
});

/** A repository. */
export const repository = serverRecord(
  "a repository",
  {
    owner: optional(nullable(listed(using(user, "login", "visibility")))),
    name: optional(string),
    full_name: string,
    description: optional(string),
    empty: optional(boolean),
    private: optional(boolean),
    fork: optional(boolean),
    template: optional(boolean),
    /** A repository. */
    parent: optional(nullable(anything)),
    mirror: optional(boolean),
    language: optional(string),
    html_url: optional(string),
    ssh_url: optional(string),
    clone_url: optional(string),
    website: optional(string),
    stars_count: optional(integer),
    forks_count: optional(integer),
    open_issues_count: optional(integer),
    open_pr_counter: optional(integer),
    release_counter: optional(integer),
    original_url: optional(string),
    default_branch: optional(string),
    archived: optional(boolean),
    created_at: optional(time),
    updated_at: optional(time),
    permissions: optional(nullable(permission)),
    internal_tracker: optional(nullable(anything)),
    external_tracker: optional(nullable(anything)),
    has_pull_requests: optional(boolean),
    has_issues: optional(boolean),
    has_releases: optional(boolean),
    allow_merge_commits: optional(boolean),
    allow_rebase: optional(boolean),
    allow_rebase_explicit: optional(boolean),
    allow_squash_merge: optional(boolean),
    allow_fast_forward_only_merge: optional(boolean),
    allow_rebase_update: optional(boolean),
    allow_manual_merge: optional(boolean),
    default_delete_branch_after_merge: optional(boolean),
    default_merge_style: optional(words(...mergeStyles)),
    internal: optional(boolean),
    topics: optional(nullable(list(string))),
  },
  {
    id: integer,
    size: integer,
    languages_url: string,
    url: string,
    link: string,
    watchers_count: integer,
    branch_count: optional(integer),
    default_target_branch: optional(string),
    archived_at: time,
    has_code: optional(boolean),
    has_wiki: boolean,
    external_wiki: optional(nullable(anything)),
    has_projects: boolean,
    projects_mode: optional(string),
    has_packages: boolean,
    has_actions: boolean,
    ignore_whitespace_conflicts: boolean,
    allow_merge_update: optional(boolean),
    autodetect_manual_merge: optional(boolean),
    default_update_style: optional(words("merge", "rebase")),
    default_allow_maintainer_edit: boolean,
    avatar_url: string,
    mirror_interval: string,
    object_format_name: words("sha1", "sha256"),
    mirror_updated: time,
    mirror_last_sync_at: optional(time),
    repo_transfer: optional(nullable(anything)),
    licenses: optional(nullable(list(string))),
    wiki_branch: optional(string),
    globally_editable_wiki: optional(boolean),
  },
);

export type Repository = Infer<typeof repository>;

/** The default branch of a repository. Throws if the server did not return it. */
export function defaultBranch({ full_name, default_branch }: Repository): string {
  if (default_branch !== undefined) return default_branch;
  throw new Failure("broken_answer", `The server did not return the default branch of ${full_name}`);
}

/** The parent repository of a fork, if the server returns it. */
export function parentOf({ parent }: Pick<Repository, "parent">): (RepoName & { ssh_url?: string }) | undefined {
  const { owner, name, ssh_url } = (parent ?? {}) as {
    readonly owner?: { readonly login?: unknown } | null;
    readonly name?: unknown;
    readonly ssh_url?: unknown;
  };
  const login = owner?.login;
  if (typeof login !== "string" || typeof name !== "string") return undefined;
  return { owner: login, name, ...(typeof ssh_url === "string" ? { ssh_url } : {}) };
}

/** The setting of the repository that allows each style. */
export const styleSettings = {
  merge: "allow_merge_commits",
  rebase: "allow_rebase",
  "rebase-merge": "allow_rebase_explicit",
  squash: "allow_squash_merge",
  "fast-forward-only": "allow_fast_forward_only_merge",
  "manually-merged": "allow_manual_merge",
} as const satisfies Readonly<Record<MergeStyle, keyof Repository>>;

/** Whether a repository exists, for the words of a 404. */
export const repoCheck = operation("GET", "/repos/{owner}/{repo}", { answers: exists(map(anything)) });

export const repoGet = operation("GET", "/repos/{owner}/{repo}", { answers: repository });

export const repoGetById = operation("GET", "/repositories/{id}", { answers: repository });

const listedRepos = pagesOf(repository, { unique: "id" });

export const userRepoList = operation("GET", "/users/{username}/repos", { belongsTo: userGet, answers: listedRepos });

export const ownRepoList = operation("GET", "/user/repos", { answers: listedRepos });

const content = "what it is filled with";
const applied = {
  except: {
    auto_init: content,
    gitignores: content,
    license: content,
    readme: content,
    issue_labels: content,
    trust_model: "no record has it",
    default_branch: "of an empty repository, servers return their own",
  },
} as const;

export const repoCreate = operation("POST", "/user/repos", { answers: repository, applied });

export const orgRepoCreate = operation("POST", "/orgs/{org}/repos", {
  answers: repository,
  applied,
});

/** The users who can be assigned to issues and pull requests, without paging. */
export const assigneeList = operation("GET", "/repos/{owner}/{repo}/assignees", {
  answers: pagesOf(user, { unpaged: true }),
});

/** The users who can be requested to review pull requests, without paging. */
export const reviewerList = operation("GET", "/repos/{owner}/{repo}/reviewers", {
  answers: pagesOf(user, { unpaged: true }),
});

export const repoDelete = operation("DELETE", "/repos/{owner}/{repo}", { answers: nothing });
