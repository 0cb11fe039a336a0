import type { Commit } from "../git/commits.ts";
import { accessTo } from "../http/access.ts";
import type { View } from "../http/route.ts";
import { type BranchRule, type RepoRecord, ruleLists, type TagRule } from "../state/records/repos.ts";
import { mayMerge, mayPush, ruleFor } from "../state/rules.ts";
import { payloadCommit } from "./commits.ts";

/** `Branch` with the effect of its protection on the caller. */
export function branchWire(view: View, repo: RepoRecord, name: string, tip: Commit): Record<string, unknown> {
  const { site, currentUser } = view;
  const rule = ruleFor(site.store, repo.id, name);
  const access = accessTo(site, currentUser, repo);
  const isWriter = access.atLeast("write", "code");
  return {
    name,
    commit: payloadCommit(view, repo, tip),
    protected: rule !== undefined,
    required_approvals: rule?.settings.required_approvals ?? 0,
    enable_status_check: rule?.settings.enable_status_check ?? false,
    status_check_contexts: rule === undefined ? [] : rule.settings.status_check_contexts,
    user_can_push:
      isWriter && currentUser !== undefined && (rule === undefined || mayPush(site.store, rule, currentUser)),
    user_can_merge:
      isWriter && currentUser !== undefined && (rule === undefined || mayMerge(site.store, rule, currentUser)),
    effective_branch_protection_name: access.atLeast("admin") ? (rule?.rule_name ?? "") : "",
  };
}

const userNames = ({ site }: View, ids: readonly number[]) =>
  ids.flatMap((id) => site.store.table("users").get(id)?.name ?? []);
const teamNames = ({ site }: View, ids: readonly number[]) =>
  ids.flatMap((id) => site.store.table("teams").get(id)?.name ?? []);

/** `BranchProtection`. */
export function ruleWire(view: View, rule: BranchRule): Record<string, unknown> {
  const { rule_name, priority, settings, created_at, updated_at } = rule;
  const lists = ruleLists.flatMap(([people, teams]) => [
    [people, userNames(view, settings[people])],
    [teams, teamNames(view, settings[teams])],
  ]);
  return {
    branch_name: rule_name,
    rule_name,
    priority,
    ...settings,
    ...Object.fromEntries(lists),
    created_at,
    updated_at,
  };
}

/** `TagProtection`. */
export function tagRuleWire(view: View, rule: TagRule): Record<string, unknown> {
  const { id, name_pattern, users, teams, created_at, updated_at } = rule;
  return {
    id,
    name_pattern,
    whitelist_usernames: userNames(view, users),
    whitelist_teams: teamNames(view, teams),
    created_at,
    updated_at,
  };
}
