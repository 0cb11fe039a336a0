import {
  branchProtectionCreate,
  branchProtectionDelete,
  branchProtectionEdit,
  branchProtectionGet,
  branchProtectionList,
  branchProtectionOrder,
  branchProtectionSettings,
  protectionSwitches,
} from "../../forge/branch-protections.ts";
import type { Settings } from "../../forge/setting.ts";
import {
  tagProtectionCreate,
  tagProtectionDelete,
  tagProtectionEdit,
  tagProtectionGet,
  tagProtectionList,
} from "../../forge/tags.ts";
import { isPattern } from "../../text/glob.ts";
import { collection } from "../http/collection.ts";
import { found, Refusal, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route } from "../http/route.ts";
import { ruleJson, tagRuleJson } from "../serializers/repos.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { BranchRule, RuleSettings, TagRule } from "../state/records/repos.ts";
import { rulesOf } from "../state/rules.ts";

const asAdmin = { repo: "code", signedIn: true, right: "admin", slashes: true } as const;
const writing = { ...asAdmin, unarchived: true } as const;

/** Branch protections, by name or pattern. */
export const protections: Area = [
  route(branchProtectionOrder, writing, (call) => {
    const table = call.table("branchRules");
    const mine = (call.body.ids ?? []).flatMap((id) => table.get(id) ?? []).filter((rule) => isOwn(call, rule));
    for (const [at, rule] of mine.entries()) table.put({ ...rule, priority: at + 1 });
  }),
  collection({
    table: "branchRules",
    needs: { read: asAdmin, write: { ...writing, partial: true }, deleting: asAdmin },
    create: [branchProtectionCreate, create],
    get: branchProtectionGet,
    list: [branchProtectionList, (call) => rulesOf(call.site.store, call.repo.id)],
    headers: "all",
    find: (call) =>
      found(rulesOf(call.site.store, call.repo.id).find(({ rule_name }) => rule_name === call.param("name"))),
    serialize: ruleJson,
    edit: [
      branchProtectionEdit,
      (call, rule, body) => {
        const { priority = rule.priority } = body;
        const settings = withSettings(call, body, rule.settings);
        return call.table("branchRules").put({ ...rule, priority, settings, updated_at: call.site.now() });
      },
    ],
    remove: [branchProtectionDelete],
  }),
  // Tag protections.
  collection({
    table: "tagRules",
    needs: { read: asAdmin, write: writing, deleting: asAdmin },
    get: tagProtectionGet,
    list: [tagProtectionList, (call) => call.table("tagRules").filter((rule) => isOwn(call, rule))],
    headers: "all",
    remove: [tagProtectionDelete],
    serialize: tagRuleJson,
    create: [
      tagProtectionCreate,
      (call, { name_pattern = "", whitelist_usernames = [], whitelist_teams = [] }) => {
        const { site, repo, owner } = call;
        if (name_pattern === "") refuse(400, "name_pattern are empty");
        if (whitelist_usernames.length === 0 && whitelist_teams.length === 0) {
          refuse(400, "both whitelist_usernames and whitelist_teams are empty");
        }
        const table = site.table("tagRules");
        if (table.find((rule) => isOwn(call, rule) && rule.name_pattern === name_pattern)) {
          refuse(403, "Tag protection already exist");
        }
        const users = resolveUsers(site, whitelist_usernames);
        const teams = resolveTeams(site, owner.id, whitelist_teams);
        const now = site.now();
        return table.add({ repoId: repo.id, name_pattern, users, teams, created_at: now, updated_at: now });
      },
    ],
    edit: [
      tagProtectionEdit,
      ({ site, owner }, rule, { name_pattern = rule.name_pattern, whitelist_usernames, whitelist_teams }) => {
        const users = whitelist_usernames ? resolveUsers(site, whitelist_usernames) : rule.users;
        const teams = whitelist_teams ? resolveTeams(site, owner.id, whitelist_teams) : rule.teams;
        return site.table("tagRules").put({ ...rule, name_pattern, users, teams, updated_at: site.now() });
      },
    ],
  }),
];

const isOwn = ({ repo }: Call<typeof asAdmin>, { repoId }: BranchRule | TagRule) => repoId === repo.id;

const { priority: _position, ...ruleSettings } = branchProtectionSettings;
const ruleFields = Object.entries<Settings[string]>(ruleSettings);

const unset: Readonly<Record<string, unknown>> = { boolean: false, integer: 0, string: "", list: [] };

/** What a protection has at first: nothing is on, and no list has anyone. */
const defaultRuleSettings = {
  ...Object.fromEntries(ruleFields.map(([name, { shape }]) => [name, unset[shape.type]])),
  status_check_contexts: null,
} as unknown as RuleSettings;

function create(call: Call<typeof writing>, body: BodyOf<typeof branchProtectionCreate>): BranchRule {
  const { site, repo } = call;
  const name = body.rule_name || body.branch_name;
  if (!name) refuse(400, "both rule_name and branch_name are empty");
  const present = rulesOf(site.store, repo.id);
  if (present.some((rule) => rule.rule_name === name)) refuse(403, "Branch protection already exist");
  const rule = site.table("branchRules").add({
    repoId: repo.id,
    rule_name: name,
    priority: body.priority || 1 + Math.max(0, ...present.map(({ priority }) => priority)),
    created_at: site.now(),
    updated_at: site.now(),
    settings: withSettings(call, body, defaultRuleSettings),
  });
  // Gitea fails on a malformed pattern, but only after it has stored the rule.
  if (!isPattern(name)) throw new Refusal(500, "Internal Server Error", "text");
  return rule;
}

/** Applies the settings of a body. Throws 422 for an unknown user. */
function withSettings(
  { site, owner }: Call<typeof asAdmin>,
  body: BodyOf<typeof branchProtectionEdit>,
  before: RuleSettings,
): RuleSettings {
  const given = ruleFields.map(([name, { names: what }]): [name: string, value: unknown] => {
    const value = body[name as keyof typeof body];
    if (what === undefined || !Array.isArray(value)) return [name, value];
    const names = value.map(String);
    return [name, what === "team" ? resolveTeams(site, owner.id, names) : resolveUsers(site, names)];
  });
  // What belongs to a setting is taken only beside it.
  const alone = protectionSwitches.flatMap(({ of, sends }) =>
    of.some((name) => body[name as keyof typeof body] == null) ? sends : [],
  );
  const sent = given.filter(([name, value]) => value != null && !alone.includes(name));
  const next: RuleSettings = { ...before, ...Object.fromEntries(sent) };
  const values: Readonly<Record<string, unknown>> = { ...next };
  const cleared = protectionSwitches.flatMap(({ of, sends }) => (of.some((name) => !values[name]) ? sends : []));
  return { ...next, ...Object.fromEntries(cleared.map((name) => [name, false])) };
}

/** The ids of users by name. Throws 422 for an unknown user. */
function resolveUsers({ store }: Site, names: readonly string[]): number[] {
  return names.map((name) => userNamed(store, name)?.id ?? refuse(422, `user does not exist [uid: 0, name: ${name}]`));
}

/** The ids of an organization's teams by name. Unknown teams are ignored. */
function resolveTeams({ store }: Site, orgId: number, names: readonly string[]): number[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const fits = store.table("teams").filter((team) => team.orgId === orgId && wanted.has(team.name.toLowerCase()));
  return fits.map(({ id }) => id);
}
