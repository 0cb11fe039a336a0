import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import type { Table } from "../../command/table.ts";
import { labelTemplateList } from "../../forge/labels.ts";
import { call } from "../../forge/operation.ts";
import { gitignoreTemplateList, type LicenseEntry, licenseEntry, licenseTemplateList } from "../../forge/templates.ts";
import { column, wordColumn } from "../../output/table.ts";
import { string } from "../../shape/shape.ts";

/** The verbs of `tongs template`. */
export const verbs: Table<Command> = {
  gitignore: {
    summary: "View .gitignore templates",
    verbs: async () => ({
      list: listCommand({
        summary: "List .gitignore templates",
        on: "server",
        lists: [".gitignore template", ".gitignore templates"],
        record: string,
        columns: [wordColumn("NAME")],
        fetch: ({ http }) => call(http, gitignoreTemplateList, {}),
        examples: [["List all templates", "tongs template gitignore list --all"]],
      }),
      view: () => import("./view.ts").then((file) => file.gitignore),
    }),
  },
  license: {
    summary: "View licenses",
    verbs: async () => ({
      list: listCommand({
        summary: "List licenses",
        on: "server",
        lists: ["license", "licenses"],
        record: licenseEntry,
        columns: [column<LicenseEntry>("KEY", "key"), column<LicenseEntry>("NAME", "name", { flexible: true })],
        fetch: ({ http }) => call(http, licenseTemplateList, {}),
        examples: [["List the licenses that the server knows", "tongs template license list"]],
      }),
      view: () => import("./view.ts").then((file) => file.license),
    }),
  },
  label: {
    summary: "View label templates",
    verbs: async () => ({
      list: listCommand({
        summary: "List label templates",
        on: "server",
        lists: ["label template", "label templates"],
        record: string,
        columns: [wordColumn("NAME")],
        fetch: ({ http }) => call(http, labelTemplateList, {}),
        examples: [["List the label templates", "tongs template label list"]],
      }),
      view: () => import("./view.ts").then((file) => file.label),
    }),
  },
};
