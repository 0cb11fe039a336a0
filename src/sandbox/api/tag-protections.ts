import { form, string, strings } from "../http/form.ts";
import { empty, found, json, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, patch, post } from "../http/route.ts";
import type { TagRule } from "../state/records/repos.ts";
import { mayTag } from "../state/rules.ts";
import { tagRuleWire } from "../wire/branches.ts";
import { resolveTeams, resolveUsers } from "./protections.ts";

const fields = {
  name_pattern: string("NamePattern"),
  whitelist_usernames: strings("WhitelistUsernames"),
  whitelist_teams: strings("WhitelistTeams"),
};
const asAdmin = { repo: "code", signedIn: true, right: "admin" } as const;
const creation = { ...asAdmin, unarchived: true, body: form("CreateTagProtectionOption", fields) } as const;
const editing = { ...asAdmin, unarchived: true, body: form("EditTagProtectionOption", fields) } as const;
const base = "/repos/{owner}/{repo}/tag_protections";

/** Tag protections. */
export const tagProtections: Area = {
  routes: [
    get(base, asAdmin, (call) =>
      json(
        200,
        tagRules(call).map((rule) => tagRuleWire(call, rule)),
      ),
    ),
    get(`${base}/{id}`, asAdmin, (call) => json(200, tagRuleWire(call, findTagRule(call)))),
    post(base, creation, create),
    patch(`${base}/{id}`, editing, edit),
    del(`${base}/{id}`, asAdmin, (call) => {
      call.site.store.table("tagRules").delete(findTagRule(call).id);
      return empty(204);
    }),
  ],
  checkPush(site, { repo, currentUser, command }) {
    if (!command.ref.startsWith("refs/tags/")) return undefined;
    const tag = command.ref.slice("refs/tags/".length);
    return mayTag(site.store, repo.id, tag, currentUser) ? undefined : { refuse: `Tag ${tag} is protected` };
  },
};

function tagRules({ site, repo }: Call<typeof asAdmin>): TagRule[] {
  return site.store.table("tagRules").filter((rule) => rule.repoId === repo.id);
}

function findTagRule(call: Call<typeof asAdmin>): TagRule {
  return found(tagRules(call).find((rule) => rule.id === call.number("id")));
}

function create(call: Call<typeof creation>) {
  const { site, repo, owner, body } = call;
  const { name_pattern, whitelist_usernames = [], whitelist_teams = [] } = body;
  if (!name_pattern) refuse(400, "name_pattern are empty");
  if (whitelist_usernames.length === 0 && whitelist_teams.length === 0) {
    refuse(400, "both whitelist_usernames and whitelist_teams are empty");
  }
  if (tagRules(call).some((rule) => rule.name_pattern === name_pattern)) refuse(403, "Tag protection already exist");
  const users = resolveUsers(site.store, whitelist_usernames);
  const teams = resolveTeams(site.store, owner.id, whitelist_teams);
  const id = site.store.nextId("tagRules");
  const now = site.now();
  const rule = { id, repoId: repo.id, name_pattern, users, teams, created_at: now, updated_at: now };
  return json(201, tagRuleWire(call, site.store.table("tagRules").put(rule)));
}

function edit(call: Call<typeof editing>) {
  const { site, owner, body } = call;
  const rule = findTagRule(call);
  const next: TagRule = {
    ...rule,
    name_pattern: body.name_pattern ?? rule.name_pattern,
    users: body.whitelist_usernames ? resolveUsers(site.store, body.whitelist_usernames) : rule.users,
    teams: body.whitelist_teams ? resolveTeams(site.store, owner.id, body.whitelist_teams) : rule.teams,
    updated_at: site.now(),
  };
  return json(200, tagRuleWire(call, site.store.table("tagRules").put(next)));
}
