import { defineCommand } from "../../app/define.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { levelExclusive, levelFlags, ownerName } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { variableDelete } from "../../forge/variables.ts";
import { deleteByName } from "./delete-by-name.ts";
import { settingLevel } from "./setting-level.ts";

/** `tongs variable delete`: DELETE each variable. */
export const remove = defineCommand({
  summary: "Delete variables",
  on: "server",
  effect: "destroy",
  args: { name: many("names of variables; - reads them from stdin, one per line", { source: "variable" }) },
  flags: levelFlags,
  exclusive: levelExclusive,
  exits: { partly: "some variables were deleted, some failed" },
  examples: [["Delete two variables", "tongs variable delete TIDE_TABLE BERTH --yes"]],
  async run(context) {
    const { args, flags, http } = context;
    const owner = await settingLevel("variable", flags, context);
    await requirePresentOwner(owner, http);
    const work = (name: string) => call(http, variableDelete, { level: owner, variablename: name });
    return deleteByName({ names: args.name, noun: "variable", owner: ownerName(owner), delete: work }, context);
  },
});
