import { Failure } from "../failure/failure.ts";
import { exists } from "../http/answers.ts";
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
import { type Settings, shapesOf } from "./setting.ts";
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

const ofPulls = ["has_pull_requests"];
const ofIssues = ["has_issues"];
const toggle = (flag: string, needs?: readonly string[]) => ({ shape: boolean, flag, ...(needs && { needs }) });

/** The settings of a repository. Servers drop those of a unit that is switched off (docs/server-differences.md, "Repositories"). */
export const repoSettings = {
  description: { shape: string, flag: "description", short: "d" },
  website: { shape: string, flag: "website", placeholder: "URL" },
  default_branch: { shape: string, flag: "default branch", names: "branch" },
  private: toggle("make the repository private"),
  template: toggle("make the repository a template"),
  archived: toggle("archive the repository"),
  has_code: toggle("enable code"),
  has_issues: toggle("enable issues"),
  has_pull_requests: toggle("enable pull requests"),
  has_wiki: toggle("enable the wiki"),
  has_projects: toggle("enable projects"),
  has_releases: toggle("enable releases"),
  has_packages: toggle("enable packages"),
  has_actions: toggle("enable Actions"),
  projects_mode: { shape: words("repo", "owner", "all"), flag: "which projects are shown", needs: ["has_projects"] },
  allow_merge_commits: toggle("allow merge commits", ofPulls),
  allow_rebase: toggle("allow rebase merging", ofPulls),
  allow_rebase_explicit: toggle("allow rebasing with a merge commit", ofPulls),
  allow_squash_merge: toggle("allow squash merging", ofPulls),
  allow_fast_forward_only_merge: toggle("allow fast-forward-only merging", ofPulls),
  allow_manual_merge: toggle("allow marking as manually merged", ofPulls),
  autodetect_manual_merge: toggle("detect manual merges", ofPulls),
  default_merge_style: { shape: words(...mergeStyles), flag: "default merge style", needs: ofPulls },
  allow_merge_update: toggle("allow updating pull requests by merging", ofPulls),
  allow_rebase_update: toggle("allow updating pull requests by rebasing", ofPulls),
  default_update_style: { shape: words("merge", "rebase"), flag: "default style of updates", needs: ofPulls },
  default_delete_branch_after_merge: toggle("delete the branch of a merged pull request by default", ofPulls),
  default_allow_maintainer_edit: toggle("allow edits by maintainers by default", ofPulls),
  ignore_whitespace_conflicts: toggle("ignore whitespace when looking for conflicts", ofPulls),
  globally_editable_wiki: toggle("let every user edit the wiki"),
} as const satisfies Settings;

/** The settings that are within a record of a unit, which is switched on with it. */
export const unitRecords = {
  internal_tracker: {
    unit: "has_issues",
    settings: {
      enable_time_tracker: toggle("enable time tracking", ofIssues),
      allow_only_contributors_to_track_time: toggle("allow only contributors to track time", ofIssues),
      enable_issue_dependencies: toggle("enable issue dependencies", ofIssues),
    },
  },
  external_tracker: {
    unit: "has_issues",
    settings: {
      external_tracker_url: {
        shape: string,
        flag: "use an external issue tracker at this address",
        placeholder: "URL",
        needs: ofIssues,
      },
      external_tracker_format: {
        shape: string,
        flag: "address of an issue there: https://…/{index}",
        placeholder: "URL",
        needs: ofIssues,
      },
      external_tracker_style: {
        shape: words("numeric", "alphanumeric", "regexp"),
        flag: "issue number format of the external tracker",
        needs: ofIssues,
      },
      external_tracker_regexp_pattern: {
        shape: string,
        flag: "pattern of the numbers",
        placeholder: "REGEXP",
        needs: ofIssues,
      },
    },
  },
  external_wiki: {
    unit: "has_wiki",
    settings: {
      external_wiki_url: {
        shape: string,
        flag: "use an external wiki at this address",
        placeholder: "URL",
        needs: ["has_wiki"],
      },
    },
  },
} as const satisfies Readonly<Record<string, { readonly unit: string; readonly settings: Settings }>>;

/** A repository. */
export const repository = serverRecord(
  "a repository",
  {
    owner: optional(nullable(listed(using(user, "login", "visibility")))),
    name: optional(string),
    full_name: string,
    ...shapesOf(repoSettings),
    empty: optional(boolean),
    fork: optional(boolean),
    /** A repository. */
    parent: optional(nullable(anything)),
    mirror: optional(boolean),
    mirror_updated: optional(time),
    language: optional(string),
    html_url: optional(string),
    ssh_url: optional(string),
    clone_url: optional(string),
    stars_count: optional(integer),
    forks_count: optional(integer),
    open_issues_count: optional(integer),
    open_pr_counter: optional(integer),
    release_counter: optional(integer),
    original_url: optional(string),
    created_at: optional(time),
    updated_at: optional(time),
    permissions: optional(nullable(permission)),
    internal_tracker: optional(nullable(anything)),
    external_tracker: optional(nullable(anything)),
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
    external_wiki: optional(nullable(anything)),
    avatar_url: string,
    mirror_interval: string,
    object_format_name: words("sha1", "sha256"),
    mirror_last_sync_at: optional(time),
    repo_transfer: optional(nullable(anything)),
    licenses: optional(nullable(list(string))),
    wiki_branch: optional(string),
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

const listedRepos = pagesOf(repository);

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

export const repoDelete = operation("DELETE", "/repos/{owner}/{repo}");
