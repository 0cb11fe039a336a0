import type { Command } from "../../app/define.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { resource } from "../../app/resource.ts";
import { ofSettings } from "../../app/settings/level.ts";
import { levelOf } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import type { Table } from "../../command/table.ts";
import { call } from "../../forge/operation.ts";
import {
  listVariables,
  type Variable,
  variable,
  variableDelete,
  variableGet,
  variableList,
} from "../../forge/variables.ts";
import { column } from "../../output/table.ts";

const variables = resource({
  ...ofSettings("variable"),
  record: variable,
  target: () => (name) => ({ name }),
  get: (name, { http, place }) => call(http, variableGet, { level: place, variablename: name }),
});

/** The verbs of `tongs variable`. */
export const verbs: Table<Command> = {
  list: variables.list({
    needs: [variableList],
    columns: [
      column<Variable>("NAME", "name"),
      column<Variable>("VALUE", "data", { flexible: true }),
      column<Variable>("DESCRIPTION", "description", { flexible: true }),
    ],
    fetch: ({ http, place }) => listVariables(http, place),
    page: async ({ flags, locate }) => settingsPage(await levelOf(flags, { locate }), "actions/variables"),
    pageUses: ["org", "user", "admin"],
    examples: [
      ["The variables of the current repository", "tongs variable list"],
      [
        "The variables of an organization as a .env file",
        `tongs variable list --org tidewater --jq '.[] | "\\(.name)=\\(.data)"'`,
      ],
    ],
  }),
  get: variables.view({
    needs: [variableGet],
    summary: "Print the value of a variable",
    sheet: () => ({ fields: [] }),
    plain: ({ data }) => `${data}\n`,
    examples: [["Print a variable of the current repository", "tongs variable get TIDE_TABLE"]],
  }),
  set: () => import("./set.ts").then((file) => file.set),
  delete: variables.delete({
    needs: [variableDelete],
    sends: variableDelete,
    before: ({ http, place }) => requirePresentOwner(place, http),
    work: ({ name }, { http, place }) => call(http, variableDelete, { level: place, variablename: name }),
    examples: [["Delete two variables", "tongs variable delete TIDE_TABLE BERTH --yes"]],
  }),
};
