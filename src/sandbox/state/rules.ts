import type { UserRecord } from "./records/accounts.ts";
import type { BranchRule, RuleList, RuleSettings, TagRule } from "./records/repos.ts";
import type { Store } from "./store.ts";

/** The branch protections of a repository in order of precedence. */
export function rulesOf(store: Store, repoId: number): BranchRule[] {
  return store
    .table("branchRules")
    .filter((rule) => rule.repoId === repoId)
    .sort((one, other) => one.priority - other.priority || one.id - other.id);
}

/** The first protection whose name or pattern matches a branch. */
export function ruleFor(store: Store, repoId: number, branch: string): BranchRule | undefined {
  return rulesOf(store, repoId).find(({ rule_name }) => rule_name === branch || globOf(rule_name)?.test(branch));
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
  if (!/^\/.*\/$/.test(name_pattern)) return globOf(name_pattern)?.test(tag) ?? false;
  return regularExpression(name_pattern.slice(1, -1))?.test(tag) ?? false;
}

function regularExpression(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

/**
 * Compiles a glob with `?`, `*`, `**`, `[abc]`, `[!a-c]` and `{this,that}`. Only `**` matches slashes. Returns
 * undefined for a malformed pattern.
 */
export function globOf(pattern: string): RegExp | undefined {
  let source = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at] ?? "";
    if (letter === "*" && pattern[at + 1] === "*") {
      source += ".*";
      at += 1;
    } else if (letter === "*") source += "[^/]*";
    else if (letter === "?") source += "[^/]";
    else if (letter === "[") {
      const end = pattern.indexOf("]", at + 1);
      if (end < 0) return undefined;
      source += `[${pattern
        .slice(at + 1, end)
        .replace(/^!/, "^")
        .replaceAll("\\", "\\\\")}]`;
      at = end;
    } else if (letter === "{") {
      depth += 1;
      source += "(?:";
    } else if (letter === "}" && depth > 0) {
      depth -= 1;
      source += ")";
    } else if (letter === "," && depth > 0) source += "|";
    else source += letter.replace(/[\\^$.|+()]/, "\\$&");
  }
  return depth === 0 ? regularExpression(`^${source}$`) : undefined;
}
