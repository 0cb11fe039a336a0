import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { viewCommand } from "../../app/view-command.ts";
import { one } from "../../command/args.ts";
import type { Table } from "../../command/table.ts";
import { Failure } from "../../failure/failure.ts";
import { type LabelTemplate, labelTemplate, labelTemplateGet, labelTemplateList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import {
  gitignoreTemplate,
  gitignoreTemplateGet,
  gitignoreTemplateList,
  type LicenseEntry,
  licenseEntry,
  licenseTemplate,
  licenseTemplateGet,
  licenseTemplateList,
} from "../../forge/templates.ts";
import { NotFoundError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { column, wordColumn } from "../../output/table.ts";
import { string } from "../../shape/shape.ts";
import { capitalized } from "../../text/format.ts";
import { nearest } from "../../text/nearest.ts";

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
      view: viewCommand({
        summary: "Print a .gitignore template",
        on: "server",
        args: { name: one("name of the template") },
        record: gitignoreTemplate,
        fetch: ({ args: { name }, http }) =>
          named(name, ".gitignore template", call(http, gitignoreTemplateGet, { name }), () =>
            call(http, gitignoreTemplateList, {}),
          ),
        plain: ({ source }) => source,
        examples: [["Start a .gitignore file", "tongs template gitignore view Go > .gitignore"]],
      }),
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
      view: viewCommand({
        summary: "Print a license",
        on: "server",
        args: { name: one("key of the license, such as MIT") },
        record: licenseTemplate,
        fetch: ({ args: { name }, http }) =>
          named(name, "license", call(http, licenseTemplateGet, { name }), () => call(http, licenseTemplateList, {})),
        plain: ({ body }) => body,
        examples: [["Start a LICENSE file", "tongs template license view MIT > LICENSE"]],
      }),
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
      view: listCommand({
        summary: "List the labels of a label template",
        on: "server",
        lists: ["label", "labels"],
        args: { name: one("name of the template") },
        record: labelTemplate,
        columns: [
          column<LabelTemplate>("NAME", "name"),
          column<LabelTemplate>("COLOR", "color", { style: "plain" }),
          column<LabelTemplate>("EXCLUSIVE", "exclusive", (label) => (label.exclusive ? "yes" : "")),
          column<LabelTemplate>("DESCRIPTION", "description", { flexible: true }),
        ],
        unlimited: true,
        fetch: ({ args: { name }, http }) =>
          named(name, "label template", call(http, labelTemplateGet, { name }), () =>
            call(http, labelTemplateList, {}),
          ),
        examples: [["List the labels of a template", "tongs template label view Default"]],
      }),
    }),
  },
};

/** A template by its name, which is case-sensitive. If it does not exist, the failure has the names that are similar. */
async function named<T>(
  name: string,
  noun: string,
  template: Promise<T>,
  list: () => Listing<string | { readonly key: string }>,
): Promise<T> {
  try {
    return await template;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const known = (await collect(list())).map((one) => (typeof one === "string" ? one : one.key));
    const otherCase = known.filter((one) => one.toLowerCase() === name.toLowerCase());
    const near = otherCase.length > 0 ? otherCase : nearest(name, known);
    const message = `${capitalized(noun)} ${name} not found on ${error.exchange.server}`;
    const hint = near.length > 0 ? `Did you mean: ${near.join(", ")}?` : undefined;
    throw new Failure("not_found", message, { hint });
  }
}
