import type { Command } from "../../app/define.ts";
import { nothingToChange } from "../../app/fields.ts";
import { inServer, resource } from "../../app/resource.ts";
import { one } from "../../command/args.ts";
import { names } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import {
  type QuotaGroup,
  quotaGroup,
  quotaGroupCreate,
  quotaGroupDelete,
  quotaGroupGet,
  quotaGroupList,
  quotaGroupRuleAdd,
  quotaGroupRuleRemove,
} from "../../forge/quotas.ts";
import { column } from "../../output/table.ts";
import { present } from "../../shape/shape.ts";
import { requireRules } from "./in-group.ts";
import { limitText } from "./texts.ts";

const groups = resource({
  ...inServer,
  noun: ["quota group", "quota groups"],
  a: "a quota group",
  record: quotaGroup,
  argument: { key: "group", one: "name of the group", many: "names of groups" },
  get: (name, { http }) => call(http, quotaGroupGet, { quotagroup: name }),
  name: ({ name }: QuotaGroup) => `quota group ${name}`,
});

const ruleFlag = (description: string) => names(description, { placeholder: "RULE" });

/** The verbs of `tongs quota group`. */
export const verbs: Table<Command> = {
  list: groups.list({
    needs: [quotaGroupList],
    columns: [
      column<QuotaGroup>("NAME", "name", { style: "strong" }),
      column<QuotaGroup>("RULES", "rules", { cell: (group) => ruleNames(group).join(", "), flexible: true }),
    ],
    fetch: ({ http }) => call(http, quotaGroupList, {}),
    examples: [["List all groups", "tongs quota group list"]],
  }),
  view: groups.view({
    needs: [quotaGroupGet],
    sheet: (group) => ({
      title: group.name,
      fields: present(group.rules).map((rule) => [
        rule.name,
        `${limitText(rule)} for ${present(rule.subjects).join(" and ") || "nothing"}`,
      ]),
    }),
    examples: [["View a group", "tongs quota group view staff"]],
  }),
  create: groups.create({
    needs: [quotaGroupCreate],
    args: { name: one("name of the group") },
    flags: { rule: ruleFlag("rules of the group") },
    async body({ args: { name }, flags: { rule }, http }) {
      await requireRules(rule, http);
      return { name, rules: rule.map((one) => ({ name: one })) };
    },
    send: (body, { http }) => call(http, quotaGroupCreate, {}, body),
    prints: ({ name }) => name,
    examples: [["Create a group with a rule", "tongs quota group create staff --rule all-1g"]],
  }),
  edit: groups.edit({
    needs: [quotaGroupRuleAdd, quotaGroupRuleRemove],
    flags: { addRule: ruleFlag("add rules"), removeRule: ruleFlag("remove rules") },
    async body({ flags: { addRule, removeRule }, http }) {
      if (addRule.length + removeRule.length === 0) throw nothingToChange();
      await requireRules(addRule, http);
      return { rules: { add: addRule, remove: removeRule } };
    },
    async send({ name: quotagroup, ...group }, { rules }, { http }) {
      const has = ruleNames(group);
      const unknown = rules.remove.find((one) => !has.includes(one));
      if (unknown !== undefined)
        throw new Failure("not_found", `Rule ${unknown} in quota group ${quotagroup} not found: nothing was changed`, {
          hint: `To see its rules, run: tongs quota group view ${quotagroup}`,
        });
      const added = rules.add.filter((one) => !has.includes(one));
      for (const quotarule of added) await call(http, quotaGroupRuleAdd, { quotagroup, quotarule });
      for (const quotarule of rules.remove) await call(http, quotaGroupRuleRemove, { quotagroup, quotarule });
      return call(http, quotaGroupGet, { quotagroup });
    },
    examples: [["Change the rules of a group", "tongs quota group edit staff --add-rule git-2g --remove-rule all-1g"]],
  }),
  delete: groups.delete({
    needs: [quotaGroupDelete],
    sends: quotaGroupDelete,
    details: "Its rules are kept. The users in it are limited by their other groups, or else by the server's default.",
    target: () => (name) => ({ name }),
    work: ({ name }, { http }) => call(http, quotaGroupDelete, { quotagroup: name }),
    examples: [["Delete a group", "tongs quota group delete staff --yes"]],
  }),
  user: noun("Manage the users in a quota group", () => import("./group-user.ts")),
  rule: noun("Manage the rules of a quota group", () => import("./group-rule.ts")),
};

function ruleNames({ rules }: Pick<QuotaGroup, "rules">): string[] {
  return present(rules).map(({ name }) => name);
}
