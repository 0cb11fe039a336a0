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
