import { branchPattern } from "../../text/glob.ts";
import { by } from "./order.ts";
import type { UserRecord } from "./records/accounts.ts";
import type { BranchRule, RuleList, RuleSettings, TagRule } from "./records/repos.ts";
import type { Store } from "./store.ts";

/** The branch protections of a repository in order of precedence. */
export function rulesOf(store: Store, repoId: number): BranchRule[] {
  const all = store.table("branchRules").filter((rule) => rule.repoId === repoId);
  return all.sort(by("priority", "id"));
}

/** The first protection whose name or pattern matches a branch. */
export function ruleFor(store: Store, repoId: number, branch: string): BranchRule | undefined {
  return rulesOf(store, repoId).find(({ rule_name }) => branchPattern(rule_name)(branch));
}

/** Whether a protection allows a user to push. */
export function mayPush(store: Store, { settings }: BranchRule, user: UserRecord): boolean {
  if (!settings.enable_push) return false;
  return !settings.enable_push_whitelist || isListed(store, settings, "push_whitelist", user);
}

/** Whether a protection allows a user to force-push. */
export function mayForcePush(store: Store, rule: BranchRule, user: UserRecord): boolean {
  const { settings } = rule;
  if (!settings.enable_force_push || !mayPush(store, rule, user)) return false;
  return !settings.enable_force_push_allowlist || isListed(store, settings, "force_push_allowlist", user);
}

/** Whether a protection allows a user to merge. */
export function mayMerge(store: Store, { settings }: BranchRule, user: UserRecord): boolean {
  return !settings.enable_merge_whitelist || isListed(store, settings, "merge_whitelist", user);
}

/** Whether a user is on a list of a protection, or a member of a team on it. */
export function isListed(store: Store, settings: RuleSettings, list: RuleList, user: UserRecord): boolean {
  const people = list === "approvals_whitelist" ? settings.approvals_whitelist_username : settings[`${list}_usernames`];
  return people.includes(user.id) || settings[`${list}_teams`].some((id) => isMember(store, id, user));
}

function isMember(store: Store, teamId: number, user: UserRecord): boolean {
  return store.table("teams").get(teamId)?.members.includes(user.id) ?? false;
}

/** Whether tag protections allow a user to create, update or delete a tag. */
export function mayTag(store: Store, repoId: number, tag: string, user: UserRecord): boolean {
  const fitting = store.table("tagRules").filter((rule) => rule.repoId === repoId && fitsTag(rule, tag));
  const allows = (rule: TagRule) => rule.users.includes(user.id) || rule.teams.some((id) => isMember(store, id, user));
  return fitting.length === 0 || fitting.some(allows);
}

function fitsTag({ name_pattern }: TagRule, tag: string): boolean {
  if (!/^\/.*\/$/.test(name_pattern)) return branchPattern(name_pattern)(tag);
  try {
    return new RegExp(name_pattern.slice(1, -1)).test(tag);
  } catch {
    return false;
  }
}
