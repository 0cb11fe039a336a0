import type { Command } from "../../app/define.ts";
import { resource } from "../../app/resource.ts";
import { Unchanged, unlessDone } from "../../app/result.ts";
import type { Table } from "../../command/table.ts";
import { call } from "../../forge/operation.ts";
import { type QuotaGroup, quotaGroupRuleAdd, quotaGroupRuleRemove, quotaRule } from "../../forge/quotas.ts";
import { NotFoundError, RefusedError } from "../../http/errors.ts";
import { present } from "../../shape/shape.ts";
import { inGroup, requireRules } from "./in-group.ts";

const rules = resource({
  ...inGroup,
  noun: ["rule", "rules"],
  a: "a rule",
  record: quotaRule,
  argument: { key: "rule", one: "name of the rule", many: "names of rules" },
  target: () => (name) => ({ name }),
  name: ({ name }: { readonly name: string }) => `rule ${name}`,
});

function isIn({ rules: all }: QuotaGroup, name: string): boolean {
  return present(all).some((rule) => rule.name === name);
}

/** The verbs of `tongs quota group rule`. */
export const verbs: Table<Command> = {
  add: rules.each({
    verb: ["add", "added"],
    summary: "Add rules to a quota group",
    needs: [quotaGroupRuleAdd],
    leavesNothing: true,
    async work({ name }, { http, place }) {
      await requireRules([name], http);
      const write = call(http, quotaGroupRuleAdd, { quotagroup: place.name, quotarule: name });
      const unchanged = new Unchanged(`Rule ${name} is already in quota group ${place.name}`);
      return unlessDone(write, RefusedError, async () => isIn(place, name), unchanged);
    },
    examples: [["Add a rule", "tongs quota group rule add staff all-1g"]],
  }),
  remove: rules.each({
    verb: ["remove", "removed"],
    summary: "Remove rules from a quota group",
    needs: [quotaGroupRuleRemove],
    leavesNothing: true,
    async work({ name }, { http, place }) {
      const write = call(http, quotaGroupRuleRemove, { quotagroup: place.name, quotarule: name });
      const isOut = async () => {
        await requireRules([name], http);
        return !isIn(place, name);
      };
      return unlessDone(write, NotFoundError, isOut, new Unchanged(`Rule ${name} is not in quota group ${place.name}`));
    },
    examples: [["Remove a rule", "tongs quota group rule remove staff all-1g"]],
  }),
};
