import { Failure } from "../failure/failure.ts";
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
  serverRecord,
  string,
  time,
  words,
} from "../shape/shape.ts";
import { person, user } from "./users.ts";

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
const permission = serverRecord("permissions", { admin: boolean, push: optional(boolean), pull: optional(boolean) }, [
  "push",
  "pull",
]);

/** A repository. */
export const repository = serverRecord(
  "a repository",
  {
    id: integer,
    owner: optional(nullable(person)),
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
    size: integer,
    language: optional(string),
    languages_url: string,
    html_url: optional(string),
    url: string,
    link: string,
    ssh_url: optional(string),
    clone_url: optional(string),
    original_url: string,
    website: optional(string),
    stars_count: optional(integer),
    forks_count: optional(integer),
    watchers_count: integer,
    branch_count: optional(integer),
    open_issues_count: optional(integer),
    open_pr_counter: optional(integer),
    release_counter: integer,
    default_branch: optional(string),
    default_target_branch: optional(string),
    archived: optional(boolean),
    created_at: optional(time),
    updated_at: optional(time),
    archived_at: time,
    permissions: optional(nullable(permission)),
    has_code: optional(boolean),
    has_issues: boolean,
    internal_tracker: optional(nullable(anything)),
    external_tracker: optional(nullable(anything)),
    has_wiki: boolean,
    external_wiki: optional(nullable(anything)),
    has_pull_requests: optional(boolean),
    has_projects: boolean,
    projects_mode: optional(string),
    has_releases: boolean,
    has_packages: boolean,
    has_actions: boolean,
    ignore_whitespace_conflicts: boolean,
    allow_merge_commits: optional(boolean),
    allow_rebase: optional(boolean),
    allow_rebase_explicit: optional(boolean),
    allow_squash_merge: optional(boolean),
    allow_fast_forward_only_merge: optional(boolean),
    allow_merge_update: optional(boolean),
    allow_rebase_update: optional(boolean),
    allow_manual_merge: optional(boolean),
    autodetect_manual_merge: optional(boolean),
    default_delete_branch_after_merge: optional(boolean),
    default_merge_style: optional(words(...mergeStyles)),
    default_update_style: optional(words("merge", "rebase")),
    default_allow_maintainer_edit: boolean,
    avatar_url: string,
    internal: optional(boolean),
    mirror_interval: string,
    object_format_name: words("sha1", "sha256"),
    mirror_updated: time,
    mirror_last_sync_at: optional(time),
    repo_transfer: optional(nullable(anything)),
    topics: optional(nullable(list(string))),
    licenses: optional(nullable(list(string))),
    wiki_branch: optional(string),
    globally_editable_wiki: optional(boolean),
  },
  [
    "owner",
    "name",
    "full_name",
    "description",
    "empty",
    "private",
    "fork",
    "parent",
    "mirror",
    "language",
    "html_url",
    "ssh_url",
    "clone_url",
    "website",
    "stars_count",
    "forks_count",
    "open_issues_count",
    "open_pr_counter",
    "default_branch",
    "archived",
    "created_at",
    "updated_at",
    "permissions",
    "has_pull_requests",
    "allow_merge_commits",
    "allow_rebase",
    "allow_rebase_explicit",
    "allow_squash_merge",
    "allow_fast_forward_only_merge",
    "allow_rebase_update",
    "allow_manual_merge",
    "default_delete_branch_after_merge",
    "default_merge_style",
    "internal",
    "internal_tracker",
    "external_tracker",
    "topics",
    "template",
  ],
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
export function reposApi(http: Http) {
  return {
    get: (repo: RepoName) => http.get(path`/repos/${repo.owner}/${repo.name}`, { answers: json(repository) }),

    byId: (id: number) => http.get(path`/repositories/${id}`, { answers: json(repository) }),

    ofUser: (user: string) => http.list(path`/users/${user}/repos`, { items: repository, unique: "id" }),

    ofOrg: (org: string) => http.list(path`/orgs/${org}/repos`, { items: repository, unique: "id" }),

    mine: () => http.list(path`/user/repos`, { items: repository, unique: "id" }),

    create: (body: CreateRepoOption) => http.post(path`/user/repos`, { body, answers: json(repository) }),

    createInOrg: (org: string, body: CreateRepoOption) =>
      http.post(path`/orgs/${org}/repos`, { body, answers: json(repository) }),

    /** The users who can be assigned to issues and pull requests, without paging. */
    assignable: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/assignees`, { items: user, unpaged: true }),

    /** The users who can be requested to review pull requests, without paging. */
    reviewers: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/reviewers`, { items: user, unpaged: true }),

    delete: (repo: RepoName) => http.delete(path`/repos/${repo.owner}/${repo.name}`, { answers: nothing }),
  };
}
