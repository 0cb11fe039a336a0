import type { EditBranchProtectionOption } from "../../../forge/generated/operations.ts";
import type { AccessLevel, Filled } from "./accounts.ts";
import type { Place } from "./actions.ts";

/** A repository. Branches and commits are stored in git only. Times are RFC 3339. */
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
  /** True until the first push. */
  readonly empty: boolean;
  readonly default_branch: string;
  readonly parentId: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** The number of branches, cached to build records without running git. */
  readonly branches: number;
  /** The size of the objects in KiB. */
  readonly size: number;
  /** The SPDX id of the license it was created with. */
  readonly license: string;
  readonly topics: readonly string[];
  readonly watchers: readonly number[];
  readonly units: Readonly<Record<UnitSwitch, boolean>>;
  readonly settings: RepoSettings;
  /** The settings of the own issues (default: all on). */
  readonly internalTracker?: InternalTracker | undefined;
  /** The external tracker and wiki settings, as sent. */
  readonly tracker: Readonly<Record<string, unknown>> | null;
  readonly wiki: Readonly<Record<string, unknown>> | null;
  /** The address that it was migrated from. */
  readonly original_url?: string | undefined;
}

/** What a repository's own issues have. */
export interface InternalTracker {
  readonly enable_time_tracker: boolean;
  readonly allow_only_contributors_to_track_time: boolean;
  readonly enable_issue_dependencies: boolean;
}

export const defaultTracker: InternalTracker = {
  enable_time_tracker: true,
  allow_only_contributors_to_track_time: true,
  enable_issue_dependencies: true,
};

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

/** The pull request settings, named as in the API. */
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

/** The access of a collaborator to a repository. */
export interface Collaboration {
  readonly repoId: number;
  readonly userId: number;
  readonly access: AccessLevel;
}

/** A label of a repository or an organization; the other id is 0. `color` is six hex digits. */
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

/** A milestone of a repository. */
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

/** A release. A draft has no tag. */
export interface ReleaseRecord {
  readonly id: number;
  readonly repoId: number;
  readonly authorId: number;
  readonly tag_name: string;
  readonly target_commitish: string;
  readonly name: string;
  readonly body: string;
  readonly draft: boolean;
  readonly prerelease: boolean;
  readonly created_at: string;
  readonly published_at: string;
}

/** A file of a release. Its content is in the folder of the sandbox. */
export interface AssetRecord extends StoredFile {
  readonly releaseId: number;
}

/** An uploaded file. */
export interface StoredFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly uuid: string;
  readonly download_count: number;
  readonly created_at: string;
}

/** The level of a webhook: repository, owner (user or organization) or server (system and default hooks). */
export type HookLevel = Place["level"] | "system" | "default";

/** A webhook; src/sandbox/webhooks delivers. */
export interface HookRecord {
  readonly id: number;
  readonly level: HookLevel;
  /** The id of the repository or the owner; 0 for server hooks. */
  readonly of: number;
  readonly name: string;
  readonly type: string;
  readonly branch_filter: string;
  readonly config: Readonly<Record<string, string>>;
  /** The events as in responses, with groups expanded. */
  readonly events: readonly string[];
  readonly active: boolean;
  /** Signs deliveries; never shown. */
  readonly secret?: string;
  /** The Authorization header of deliveries; never shown. */
  readonly authorization?: string;
  readonly created: string;
  readonly updated: string;
}

/** A branch protection. Its settings are named as in the API; users and teams are stored by id. */
export interface BranchRule {
  readonly id: number;
  readonly repoId: number;
  readonly rule_name: string;
  readonly priority: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly settings: RuleSettings;
}

type RuleFields = Filled<Omit<EditBranchProtectionOption, "priority">>;

/** The lists of users and teams in a branch protection: `merge_whitelist` of `merge_whitelist_teams`. */
export type RuleList = keyof RuleFields extends infer K ? (K extends `${infer L}_teams` ? L : never) : never;

type Listed = Extract<keyof RuleFields, `${RuleList}_${"teams" | "usernames" | "username"}`>;

/** The settings of a branch protection, named as in the API; lists of users and teams have their ids. */
export type RuleSettings = Omit<RuleFields, Listed | "status_check_contexts"> &
  Readonly<Record<Listed, readonly number[]>> & { readonly status_check_contexts: readonly string[] | null };

/** A tag protection. */
export interface TagRule {
  readonly id: number;
  readonly repoId: number;
  readonly name_pattern: string;
  readonly users: readonly number[];
  readonly teams: readonly number[];
  readonly created_at: string;
  readonly updated_at: string;
}
