import type { EditBranchProtectionOption } from "../../../forge/generated/operations.ts";
import type { labelSettings } from "../../../forge/labels.ts";
import type { repoSettings } from "../../../forge/repos.ts";
import type { SettingValues } from "../../../forge/setting.ts";
import type { AccessLevel } from "./accounts.ts";
import type { Place } from "./actions.ts";
import type { Filled, Flags, Numbers, Texts, Timed } from "./fields.ts";

/**
 * A repository. Branches and commits are stored in git only; the number of branches and the size of the objects in KiB are
 * cached. It is empty until the first push. Times are RFC 3339; the license is its SPDX id.
 */
export interface RepoRecord
  extends Timed,
    Numbers<"id" | "ownerId" | "branches" | "size">,
    Texts<"name" | "license">,
    Flags<"empty">,
    SettingValues<typeof repoSettings> {
  readonly archived_at: string | null;
  readonly parentId: number | null;
  readonly topics: readonly string[];
  readonly watchers: readonly number[];
  /** The settings of the own issues (default: all on). */
  readonly internalTracker?: typeof defaultTracker | undefined;
  /** The external tracker and wiki settings, as sent. */
  readonly tracker: Readonly<Record<string, unknown>> | null;
  readonly wiki: Readonly<Record<string, unknown>> | null;
  /** The address that it was migrated from. */
  readonly original_url?: string | undefined;
}

/** What a repository's own issues have. */
export const defaultTracker = {
  enable_time_tracker: true,
  allow_only_contributors_to_track_time: true,
  enable_issue_dependencies: true,
};

/** The access of a collaborator to a repository. */
export interface Collaboration extends Numbers<"repoId" | "userId"> {
  readonly access: AccessLevel;
}

/** A label of a repository or an organization; the other id is 0. Colors are six hex digits. */
export type LabelRecord = Numbers<"id" | "repoId" | "orgId"> & Texts<"name"> & SettingValues<typeof labelSettings>;

/** A milestone of a repository. */
export interface MilestoneRecord extends Numbers<"id" | "repoId">, Texts<"title" | "description" | "created_at"> {
  readonly state: "open" | "closed";
  readonly updated_at: string | null;
  readonly closed_at: string | null;
  readonly due_on: string | null;
}

/** A release. A draft has no tag. */
export type ReleaseRecord = Numbers<"id" | "repoId" | "authorId"> &
  Texts<"tag_name" | "target_commitish" | "name" | "body" | "created_at" | "published_at"> &
  Flags<"draft" | "prerelease">;

/** An uploaded file. Its content is in the folder of the sandbox, by UUID. */
export type StoredFile = Numbers<"id" | "size" | "download_count"> & Texts<"name" | "uuid" | "created_at">;

/** A file of a release. */
export type AssetRecord = StoredFile & Numbers<"releaseId">;

/**
 * A webhook of a repository, an owner or the server (system and default hooks); src/sandbox/webhooks delivers. The events are
 * as in responses, with groups expanded. The secret that signs deliveries and their Authorization header are never shown.
 */
export interface HookRecord
  extends Numbers<"id" | "of">,
    Texts<"name" | "type" | "branch_filter" | "created" | "updated">,
    Flags<"active"> {
  readonly level: Place["level"] | "system" | "default";
  readonly config: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly secret?: string;
  readonly authorization?: string;
}

/** A branch protection. Its settings are named as in the API; users and teams are stored by id. */
export interface BranchRule extends Timed, Numbers<"id" | "repoId" | "priority">, Texts<"rule_name"> {
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
export interface TagRule extends Timed, Numbers<"id" | "repoId">, Texts<"name_pattern"> {
  readonly users: readonly number[];
  readonly teams: readonly number[];
}
