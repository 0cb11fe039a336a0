import { boolean, form, integer, integers, string, strings } from "../http/form.ts";
import { empty, found, json, refuse, text } from "../http/reply.ts";
import { type Area, type Call, del, get, patch, post } from "../http/route.ts";
import { userNamed } from "../state/accounts.ts";
import { type BranchRule, type RuleSettings, ruleLists, ruleSwitches } from "../state/records/repos.ts";
import { globOf, rulesOf } from "../state/rules.ts";
import type { Store } from "../state/store.ts";
import { ruleWire } from "../wire/branches.ts";

const label = (name: string) => name.replace(/(^|_)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());
const settings = {
  ...keyed(ruleSwitches, (name) => boolean(label(name))),
  ...keyed(
    ruleLists.map(([people]) => people),
    (name) => strings(label(name)),
  ),
  ...keyed(
    ruleLists.map(([, teams]) => teams),
    (name) => strings(label(name)),
  ),
  status_check_contexts: strings("StatusCheckContexts"),
  required_approvals: integer("RequiredApprovals"),
  priority: integer("Priority"),
  protected_file_patterns: string("ProtectedFilePatterns"),
  unprotected_file_patterns: string("UnprotectedFilePatterns"),
};
const createOption = form("CreateBranchProtectionOption", {
  branch_name: string("BranchName"),
  rule_name: string("RuleName"),
  ...settings,
});
const editOption = form("EditBranchProtectionOption", settings);
const priorityOption = form("UpdateBranchProtectionPriories", { ids: integers("IDs") });

const asAdmin = { repo: "code", signedIn: true, right: "admin" } as const;
const writing = { ...asAdmin, unarchived: true } as const;
const creation = { ...writing, body: createOption } as const;
const editing = { ...writing, body: editOption } as const;
const base = "/repos/{owner}/{repo}/branch_protections";

/** Branch protections, by name or pattern. */
export const protections: Area = {
  routes: [
    get(base, asAdmin, (call) =>
      json(
        200,
        rulesOf(call.site.store, call.repo.id).map((rule) => ruleWire(call, rule)),
      ),
    ),
    post(base, creation, create),
    post(`${base}/priority`, { ...writing, body: priorityOption }, (call) => {
      const table = call.site.store.table("branchRules");
      const mine = (call.body.ids ?? [])
        .flatMap((id) => table.get(id) ?? [])
        .filter((rule) => rule.repoId === call.repo.id);
      for (const [at, rule] of mine.entries()) table.put({ ...rule, priority: at + 1 });
      return empty(204);
    }),
    get(`${base}/{name…}`, asAdmin, (call) => json(200, ruleWire(call, findRule(call)))),
    patch(`${base}/{name…}`, editing, (call) => {
      const rule = findRule(call);
      const priority = call.body.priority ?? rule.priority;
      const next = { ...rule, priority, updated_at: call.site.now(), settings: withSettings(call, rule.settings) };
      call.site.store.table("branchRules").put(next);
      notifyRulesChanged(call);
      return json(200, ruleWire(call, next));
    }),
    del(`${base}/{name…}`, asAdmin, (call) => {
      call.site.store.table("branchRules").delete(findRule(call).id);
      notifyRulesChanged(call);
      return empty(204);
    }),
  ],
};

function keyed<const K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}

const defaultRuleSettings: RuleSettings = {
  ...keyed(ruleSwitches, () => false),
  ...keyed(
    ruleLists.map(([people]) => people),
    () => [],
  ),
  ...keyed(
    ruleLists.map(([, teams]) => teams),
    () => [],
  ),
  status_check_contexts: null,
  required_approvals: 0,
  protected_file_patterns: "",
  unprotected_file_patterns: "",
};

function notifyRulesChanged({ site, repo }: Call<typeof asAdmin>): void {
  for (const area of site.areas) area.rulesChanged?.(site, repo);
}

function findRule(call: Call<typeof asAdmin>): BranchRule {
  const name = call.param("name");
  return found(rulesOf(call.site.store, call.repo.id).find((rule) => rule.rule_name === name));
}

function create(call: Call<typeof creation>) {
  const { site, repo, body } = call;
  const name = body.rule_name || body.branch_name;
  if (!name) refuse(400, "both rule_name and branch_name are empty");
  const present = rulesOf(site.store, repo.id);
  if (present.some((rule) => rule.rule_name === name)) refuse(403, "Branch protection already exist");
  const now = site.now();
  const rule = site.store.table("branchRules").add({
    repoId: repo.id,
    rule_name: name,
    priority: body.priority || 1 + Math.max(0, ...present.map(({ priority }) => priority)),
    created_at: now,
    updated_at: now,
    settings: withSettings(call, defaultRuleSettings),
  });
  notifyRulesChanged(call);
  // Gitea fails on a malformed pattern, but only after it has stored the rule.
  if (globOf(name) === undefined) return text(500, "Internal Server Error", "text/plain; charset=utf-8");
  return json(201, ruleWire(call, rule));
}

/** Applies the settings of the body. Throws 422 for an unknown user. */
function withSettings(
  { site, owner, body }: Call<typeof editing> | Call<typeof creation>,
  before: RuleSettings,
): RuleSettings {
  const lists = ruleLists.flatMap(([people, teams]) => [
    [people, body[people] && resolveUsers(site.store, body[people])] as const,
    [teams, body[teams] && resolveTeams(site.store, owner.id, body[teams])] as const,
  ]);
  const { status_check_contexts, required_approvals, protected_file_patterns, unprotected_file_patterns } = body;
  const plain = { status_check_contexts, required_approvals, protected_file_patterns, unprotected_file_patterns };
  const given = [...ruleSwitches.map((name) => [name, body[name]] as const), ...lists, ...Object.entries(plain)];
  return { ...before, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}

/** The ids of users by name. Throws 422 for an unknown user. */
export function resolveUsers(store: Store, names: readonly string[]): number[] {
  return names.map((name) => userNamed(store, name)?.id ?? refuse(422, `user does not exist [uid: 0, name: ${name}]`));
}

/** The ids of an organization's teams by name. Unknown teams are ignored. */
export function resolveTeams(store: Store, orgId: number, names: readonly string[]): number[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const fits = store.table("teams").filter((team) => team.orgId === orgId && wanted.has(team.name.toLowerCase()));
  return fits.map(({ id }) => id);
}
