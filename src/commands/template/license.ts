import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import {
  type LicenseEntry,
  licenseEntry,
  licenseTemplate,
  licenseTemplateGet,
  licenseTemplateList,
} from "../../forge/templates.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { namedTemplate } from "./names.ts";

const columns = [column<LicenseEntry>("KEY", "key"), column<LicenseEntry>("NAME", "name", { flexible: true })];

/** `tongs template license list`: GET the common licenses. */
export const list = defineCommand({
  summary: "List licenses",
  on: "server",
  effect: "read",
  lists: ["license", "licenses"],
  output: listOf(licenseEntry),
  examples: [["List the licenses that the server knows", "tongs template license list"]],
  async run({ http, out }) {
    await out.list(call(http, licenseTemplateList, {}), columns);
  },
});

/** `tongs template license view`: GET the text of a license. */
export const view = defineCommand({
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
      (name: string) => call(http, licenseTemplateGet, { name }),
      () => call(http, licenseTemplateList, {}),
    );
    if (out.records) await out.record(found, () => ({ fields: [] }));
    else await out.text(found.body);
  },
});
