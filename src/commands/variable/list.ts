import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import { listVariables, type Variable, variable } from "../../forge/variables.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { settingLevel } from "./setting-level.ts";

const columns = [
  column<Variable>("NAME", "name"),
  column<Variable>("VALUE", "data", { flexible: true }),
  column<Variable>("DESCRIPTION", "description", { flexible: true }),
];

/** `tongs variable list`: GET the Actions variables of a repository, an organization or a user. */
export const list = defineCommand({
  summary: "List variables",
  on: "server",
  effect: "read",
  lists: ["variable", "variables"],
  flags: levelFlags,
  exclusive: levelExclusive,
  output: listOf(variable),
  examples: [
    ["The variables of the current repository", "tongs variable list"],
    [
      "The variables of an organization as a .env file",
      `tongs variable list --org tidewater --jq '.[] | "\\(.name)=\\(.data)"'`,
    ],
  ],
  web: {
    page: async (context) => settingsPage(await levelOf(context.flags, context), "actions/variables"),
    uses: ["org", "user", "admin"],
  },
  async run(context) {
    const { flags, http, out } = context;
    await out.list(listVariables(http, await settingLevel("variable", flags, context)), columns);
  },
});
