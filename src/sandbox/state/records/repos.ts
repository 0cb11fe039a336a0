import type { AccessLevel } from "./accounts.ts";
/** A repository. What git knows (branches, commits) is not repeated here. Times are RFC 3339. */
export interface RepoRecord {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly description: string;
  readonly website: string;
  readonly private: boolean;
  readonly template: boolean;
  readonly archived: boolean;
  readonly archived_at: string | null;
  /** True until the first commit arrives. */
  readonly empty: boolean;
  readonly default_branch: string;
  readonly parentId: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** How many branches there are, so that a record can be shown without asking git. */
  readonly branches: number;
  /** KiB of objects. */
  readonly size: number;
  /** The licence that it was made with, by its usual short name. */
  readonly license: string;
  readonly topics: readonly string[];
  readonly watchers: readonly number[];
  readonly units: Readonly<Record<UnitSwitch, boolean>>;
  readonly settings: RepoSettings;
  /** An external tracker and wiki, as they were given. */
  readonly tracker: Readonly<Record<string, unknown>> | null;
  readonly wiki: Readonly<Record<string, unknown>> | null;
}

export const unitSwitches = [
  "has_code",
  "has_issues",
  "has_wiki",
  "has_pull_requests",
  "has_projects",
  "has_releases",
  "has_packages",
  "has_actions",
] as const;

export type UnitSwitch = (typeof unitSwitches)[number];

/** The pull request settings, by their wire names. */
export const defaultSettings = {
  projects_mode: "all",
  ignore_whitespace_conflicts: false,
  allow_merge_commits: true,
  allow_rebase: true,
  allow_rebase_explicit: true,
  allow_squash_merge: true,
  allow_fast_forward_only_merge: true,
  allow_merge_update: true,
  allow_rebase_update: true,
  allow_manual_merge: false,
  autodetect_manual_merge: false,
  default_delete_branch_after_merge: false,
  default_merge_style: "merge",
  default_update_style: "merge",
  default_allow_maintainer_edit: true,
};

export type RepoSettings = Readonly<typeof defaultSettings>;

export interface Collaboration {
  readonly repoId: number;
  readonly userId: number;
  readonly access: AccessLevel;
}

/** A label of a repository or of an organization; the other id is 0. `color` is six hex digits. */
export interface LabelRecord {
  readonly id: number;
  readonly repoId: number;
  readonly orgId: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly is_archived: boolean;
}

export interface MilestoneRecord {
  readonly id: number;
  readonly repoId: number;
  readonly title: string;
  readonly description: string;
  readonly state: "open" | "closed";
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly closed_at: string | null;
  readonly due_on: string | null;
}

/** Whose a webhook is: of a repository, of a user or an organization, or of the server. */
export type HookKind = "repository" | "owner" | "system" | "default";

/** A webhook. The sandbox keeps it and delivers nothing. */
export interface HookRecord {
  readonly id: number;
  readonly kind: HookKind;
  /** The repository or the owner; 0 for those of the server. */
  readonly of: number;
  readonly name: string;
  readonly type: string;
  readonly branch_filter: string;
  readonly config: Readonly<Record<string, string>>;
  /** The events as answers name them, kinds spelled out. */
  readonly events: readonly string[];
  readonly active: boolean;
  readonly created: string;
  readonly updated: string;
}

/** The lists and switches of a branch protection rule, by their wire names. People and teams are kept by number. */
export interface BranchRule {
  readonly id: number;
  readonly repoId: number;
  readonly rule_name: string;
  readonly priority: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly settings: RuleSettings;
}

export const ruleSwitches = [
  "enable_push",
  "enable_push_whitelist",
  "push_whitelist_deploy_keys",
  "enable_force_push",
  "enable_force_push_allowlist",
  "force_push_allowlist_deploy_keys",
  "enable_merge_whitelist",
  "enable_bypass_allowlist",
  "enable_status_check",
  "enable_approvals_whitelist",
  "block_on_rejected_reviews",
  "block_on_official_review_requests",
  "block_on_outdated_branch",
  "dismiss_stale_approvals",
  "ignore_stale_approvals",
  "require_signed_commits",
  "block_admin_merge_override",
] as const;

/** Lists of user names and, beside them, of team names. */
export const ruleLists = [
  ["push_whitelist_usernames", "push_whitelist_teams"],
  ["force_push_allowlist_usernames", "force_push_allowlist_teams"],
  ["merge_whitelist_usernames", "merge_whitelist_teams"],
  ["bypass_allowlist_usernames", "bypass_allowlist_teams"],
  ["approvals_whitelist_username", "approvals_whitelist_teams"],
] as const;

export type RuleSwitch = (typeof ruleSwitches)[number];

export type RulePeople = (typeof ruleLists)[number][0];

export type RuleTeams = (typeof ruleLists)[number][1];

export type RuleSettings = Readonly<Record<RuleSwitch, boolean>> &
  Readonly<Record<RulePeople | RuleTeams, readonly number[]>> & {
    readonly status_check_contexts: readonly string[] | null;
    readonly required_approvals: number;
    readonly protected_file_patterns: string;
    readonly unprotected_file_patterns: string;
  };

export interface TagRule {
  readonly id: number;
  readonly repoId: number;
  readonly name_pattern: string;
  readonly users: readonly number[];
  readonly teams: readonly number[];
  readonly created_at: string;
  readonly updated_at: string;
}
