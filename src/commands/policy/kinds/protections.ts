import { branchProtection, branchProtectionsApi } from "../../../forge/branch-protections.ts";
import { collect } from "../../../forge/listings.ts";
import { tagProtectionsApi } from "../../../forge/tags.ts";
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
  form: "named",
  fields: rules,
  async read({ http, repo }) {
    return (await collect(branchProtectionsApi(http).list(repo))).map((one) => ({
      name: one.rule_name,
      values: pick(one, rules),
      update: async (changed) => pick(await branchProtectionsApi(http).edit(repo, one.rule_name, changed), rules),
      remove: () => branchProtectionsApi(http).delete(repo, one.rule_name),
    }));
  },
  create: async ({ http, repo }, rule_name, values) =>
    pick(await branchProtectionsApi(http).create(repo, { ...values, rule_name }), rules),
};

/** The tag protections of a repository, by pattern. */
export const tagProtections: Kind = {
  title: "tag protection",
  description: "tag protections by the pattern of names",
  form: "named",
  fields: { whitelist_usernames: list(string), whitelist_teams: list(string) },
  async read({ http, repo }) {
    return (await collect(tagProtectionsApi(http).list(repo))).map((one) => ({
      name: one.name_pattern,
      values: pick(one, tagProtections.fields),
      update: async (changed) => pick(await tagProtectionsApi(http).edit(repo, one.id, changed), tagProtections.fields),
      remove: () => tagProtectionsApi(http).delete(repo, one.id),
    }));
  },
  async create({ http, repo }, name_pattern, values) {
    const body = {
      name_pattern,
      whitelist_usernames: listOf(values["whitelist_usernames"]),
      whitelist_teams: listOf(values["whitelist_teams"]),
    };
    return pick(await tagProtectionsApi(http).create(repo, body), tagProtections.fields);
  },
};
