import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { type LabelTemplate, labelTemplate, labelTemplateGet, labelTemplateList } from "../../forge/labels.ts";
import { call } from "../../forge/operation.ts";
import { column } from "../../output/table.ts";
import { list as listOf, string } from "../../shape/shape.ts";
import { nameColumns, namedTemplate } from "./names.ts";

const labelColumns = [
  column<LabelTemplate>("NAME", "name"),
  column<LabelTemplate>("COLOR", "color", { style: "plain" }),
  column<LabelTemplate>("EXCLUSIVE", "exclusive", (label) => (label.exclusive ? "yes" : "")),
  column<LabelTemplate>("DESCRIPTION", "description", { flexible: true }),
];

/** `tongs template label list`: GET the names of label templates. */
export const list = defineCommand({
  summary: "List label templates",
  on: "server",
  effect: "read",
  lists: ["label template", "label templates"],
  output: listOf(string),
  examples: [["List the label templates", "tongs template label list"]],
  async run({ http, out }) {
    await out.list(call(http, labelTemplateList, {}), nameColumns);
  },
});

/** `tongs template label view`: GET the labels of a template. */
export const view = defineCommand({
  summary: "List the labels of a label template",
  on: "server",
  effect: "read",
  lists: ["label", "labels"],
  args: { name: one("name of the template") },
  output: listOf(labelTemplate),
  examples: [["List the labels of a template", "tongs template label view Default"]],
  async run({ args, http, out }) {
    const labels = await namedTemplate(
      args.name,
      "label template",
      (name: string) => call(http, labelTemplateGet, { name }),
      () => call(http, labelTemplateList, {}),
    );
    await out.list(labels, labelColumns, { unlimited: true });
  },
});
