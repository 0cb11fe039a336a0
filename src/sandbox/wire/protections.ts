import type { View } from "../http/route.ts";
import { type BranchRule, ruleLists, type TagRule } from "../state/protections.ts";

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
