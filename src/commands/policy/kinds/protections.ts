import {
  branchProtectionCreate,
  branchProtectionDelete,
  branchProtectionEdit,
  branchProtectionList,
  branchProtectionSettings,
  protectionSwitches,
} from "../../../forge/branch-protections.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { withNeeded } from "../../../forge/setting.ts";
import {
  tagProtectionCreate,
  tagProtectionDelete,
  tagProtectionEdit,
  tagProtectionList,
  tagProtectionSettings,
} from "../../../forge/tags.ts";
import { fieldsOfSettings, type Kind, pick } from "./kind.ts";

// The position of a protection is among those of the repository.
const { priority: _position, ...rules } = branchProtectionSettings;

/** The branch protections of a repository, by the name of the rule. */
export const branchProtections: Kind = {
  title: "branch protection",
  description: "branch protections by the name of the rule: a branch or a glob",
  sends: { create: branchProtectionCreate, update: branchProtectionEdit, delete: branchProtectionDelete },
  lists: rules,
  form: "named",
  ...fieldsOfSettings(rules),
  without: protectionSwitches,
  async read({ http, repo }) {
    return (await collect(call(http, branchProtectionList, { repo }))).map((rule) => ({
      name: rule.rule_name,
      values: pick(rule, branchProtections.fields),
      update: (changed) =>
        call(http, branchProtectionEdit, { repo, name: rule.rule_name }, withNeeded(protectionSwitches, changed, rule)),
      remove: () => call(http, branchProtectionDelete, { repo, name: rule.rule_name }),
    }));
  },
  create: ({ http, repo }, rule_name, values) => call(http, branchProtectionCreate, { repo }, { ...values, rule_name }),
};

/** The tag protections of a repository, by pattern. */
export const tagProtections: Kind = {
  title: "tag protection",
  description: "tag protections by the pattern of names",
  sends: { create: tagProtectionCreate, update: tagProtectionEdit, delete: tagProtectionDelete },
  lists: tagProtectionSettings,
  form: "named",
  ...fieldsOfSettings(tagProtectionSettings),
  async read({ http, repo }) {
    return (await collect(call(http, tagProtectionList, { repo }))).map((rule) => ({
      name: rule.name_pattern,
      values: pick(rule, tagProtections.fields),
      update: (changed) => call(http, tagProtectionEdit, { repo, id: rule.id }, changed),
      remove: () => call(http, tagProtectionDelete, { repo, id: rule.id }),
    }));
  },
  create: ({ http, repo }, name_pattern, values) =>
    call(
      http,
      tagProtectionCreate,
      { repo },
      { whitelist_usernames: [], whitelist_teams: [], ...values, name_pattern },
    ),
};
