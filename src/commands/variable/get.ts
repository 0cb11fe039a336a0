import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { variable, variableGet } from "../../forge/variables.ts";
import { settingLevel } from "./setting-level.ts";

/** `tongs variable get`: GET a variable, and print its value. */
export const get = defineCommand({
  summary: "Print the value of a variable",
  on: "server",
  effect: "read",
  args: { name: one("name of the variable", { source: "variable" }) },
  flags: levelFlags,
  exclusive: levelExclusive,
  output: variable,
  examples: [["Print a variable of the current repository", "tongs variable get TIDE_TABLE"]],
  async run(context) {
    const { args, flags, http, out } = context;
    const found = await call(http, variableGet, {
      level: await settingLevel("variable", flags, context),
      variablename: args.name,
    });
    if (out.records) await out.record(found, () => ({ fields: [] }));
    else await out.raw(`${found.data}\n`);
  },
});
