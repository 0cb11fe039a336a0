import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { type LabelTemplate, labelTemplate, labelTemplateGet, labelTemplateList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import {
  gitignoreTemplate,
  gitignoreTemplateGet,
  gitignoreTemplateList,
  licenseTemplate,
  licenseTemplateGet,
  licenseTemplateList,
} from "../../forge/templates.ts";
import { NotFoundError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { capitalized } from "../../text/format.ts";
import { nearest } from "../../text/nearest.ts";

/** `tongs template gitignore view`: GET a .gitignore template. */
export const gitignore = defineCommand({
  summary: "Print a .gitignore template",
  on: "server",
  effect: "read",
  args: { name: one("name of the template") },
  output: gitignoreTemplate,
  examples: [["Start a .gitignore file", "tongs template gitignore view Go > .gitignore"]],
  async run({ args, http, out }) {
    const found = await namedTemplate(
      args.name,
      ".gitignore template",
      (name) => call(http, gitignoreTemplateGet, { name }),
      () => call(http, gitignoreTemplateList, {}),
    );
    if (out.records) await out.record(found, () => ({ fields: [] }));
    else await out.text(found.source);
  },
});

/** `tongs template license view`: GET the text of a license. */
export const license = defineCommand({
  summary: "Print a license",
  on: "server",
  effect: "read",
  args: { name: one("key of the license, such as MIT") },
  output: licenseTemplate,
  examples: [["Start a LICENSE file", "tongs template license view MIT > LICENSE"]],
  async run({ args, http, out }) {
    const found = await namedTemplate(
      args.name,
      "license",
      (name) => call(http, licenseTemplateGet, { name }),
      () => call(http, licenseTemplateList, {}),
    );
    if (out.records) await out.record(found, () => ({ fields: [] }));
    else await out.text(found.body);
  },
});

const labelColumns = [
  column<LabelTemplate>("NAME", "name"),
  column<LabelTemplate>("COLOR", "color", { style: "plain" }),
  column<LabelTemplate>("EXCLUSIVE", "exclusive", (label) => (label.exclusive ? "yes" : "")),
  column<LabelTemplate>("DESCRIPTION", "description", { flexible: true }),
];

/** `tongs template label view`: GET the labels of a template. */
export const label = defineCommand({
  summary: "List the labels of a label template",
  on: "server",
  effect: "read",
  lists: ["label", "labels"],
  args: { name: one("name of the template") },
  output: list(labelTemplate),
  examples: [["List the labels of a template", "tongs template label view Default"]],
  async run({ args, http, out }) {
    const labels = await namedTemplate(
      args.name,
      "label template",
      (name) => call(http, labelTemplateGet, { name }),
      () => call(http, labelTemplateList, {}),
    );
    await out.list(labels, labelColumns, { unlimited: true });
  },
});

/** A template by its name, which is case-sensitive. If it does not exist, the failure has the names that are similar. */
async function namedTemplate<T>(
  name: string,
  noun: string,
  get: (name: string) => Promise<T>,
  list: () => Listing<string | { readonly key: string }>,
): Promise<T> {
  try {
    return await get(name);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const known = (await collect(list())).map((one) => (typeof one === "string" ? one : one.key));
    const otherCase = known.filter((one) => one.toLowerCase() === name.toLowerCase());
    const near = otherCase.length > 0 ? otherCase : nearest(name, known);
    const title = capitalized(noun);
    throw new Failure("not_found", `${title} ${name} not found on ${error.exchange.server}`, {
      hint: near.length > 0 ? `Did you mean: ${near.join(", ")}?` : undefined,
    });
  }
}
