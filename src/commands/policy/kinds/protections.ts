import {
  branchLists,
  branchProtection,
  branchProtectionCreate,
  branchProtectionDelete,
  branchProtectionEdit,
  branchProtectionList,
  protectionSettings,
  withNeeded,
} from "../../../forge/branch-protections.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import {
  tagLists,
  tagProtectionCreate,
  tagProtectionDelete,
  tagProtectionEdit,
  tagProtectionList,
} from "../../../forge/tags.ts";
import { list, string } from "../../../shape/shape.ts";
import { type Kind, listOf, pick } from "./kind.ts";

const {
  branch_name: _old,
  rule_name: _name,
  priority: _order,
  created_at,
  updated_at,
  ...rules
} = branchProtection.fields;

/** The branch protections of a repository, by the name of the rule. */
export const branchProtections: Kind = {
  title: "branch protection",
  description: "branch protections by the name of the rule: a branch or a glob",
  sends: { create: branchProtectionCreate, update: branchProtectionEdit, delete: branchProtectionDelete },
  form: "named",
  fields: rules,
  without: protectionSettings,
  lists: branchLists,
  refersTo: {
    push_whitelist_usernames: "user",
    push_whitelist_teams: "team",
    force_push_allowlist_usernames: "user",
    force_push_allowlist_teams: "team",
    merge_whitelist_usernames: "user",
    merge_whitelist_teams: "team",
    bypass_allowlist_usernames: "user",
    bypass_allowlist_teams: "team",
    approvals_whitelist_username: "user",
    approvals_whitelist_teams: "team",
  },
  async read({ http, repo }) {
    return (await collect(call(http, branchProtectionList, { repo }))).map((one) => ({
      name: one.rule_name,
      values: pick(one, rules),
      update: async (changed) =>
        pick(await call(http, branchProtectionEdit, { repo, name: one.rule_name }, withNeeded(changed, one)), rules),
      remove: () => call(http, branchProtectionDelete, { repo, name: one.rule_name }),
    }));
  },
  create: async ({ http, repo }, rule_name, values) =>
    pick(await call(http, branchProtectionCreate, { repo }, { ...values, rule_name }), rules),
};

/** The tag protections of a repository, by pattern. */
export const tagProtections: Kind = {
  title: "tag protection",
  description: "tag protections by the pattern of names",
  sends: { create: tagProtectionCreate, update: tagProtectionEdit, delete: tagProtectionDelete },
  form: "named",
  fields: { whitelist_usernames: list(string), whitelist_teams: list(string) },
  refersTo: { whitelist_usernames: "user", whitelist_teams: "team" },
  lists: tagLists,
  async read({ http, repo }) {
    return (await collect(call(http, tagProtectionList, { repo }))).map((one) => ({
      name: one.name_pattern,
      values: pick(one, tagProtections.fields),
      update: async (changed) =>
        pick(await call(http, tagProtectionEdit, { repo, id: one.id }, changed), tagProtections.fields),
      remove: () => call(http, tagProtectionDelete, { repo, id: one.id }),
    }));
  },
  async create({ http, repo }, name_pattern, values) {
    const body = {
      name_pattern,
      whitelist_usernames: listOf(values["whitelist_usernames"]),
      whitelist_teams: listOf(values["whitelist_teams"]),
    };
    return pick(await call(http, tagProtectionCreate, { repo }, body), tagProtections.fields);
  },
};
