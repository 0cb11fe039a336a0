import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { gitignoreTemplate, gitignoreTemplateGet, gitignoreTemplateList } from "../../forge/templates.ts";
import { list as listOf, string } from "../../shape/shape.ts";
import { nameColumns, namedTemplate } from "./names.ts";

/** `tongs template gitignore list`: GET the names of .gitignore templates. */
export const list = defineCommand({
  summary: "List .gitignore templates",
  on: "server",
  effect: "read",
  lists: [".gitignore template", ".gitignore templates"],
  output: listOf(string),
  examples: [["List all templates", "tongs template gitignore list --all"]],
  async run({ http, out }) {
    await out.list(call(http, gitignoreTemplateList, {}), nameColumns);
  },
});

/** `tongs template gitignore view`: GET a .gitignore template. */
export const view = defineCommand({
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
      (name: string) => call(http, gitignoreTemplateGet, { name }),
      () => call(http, gitignoreTemplateList, {}),
    );
    if (out.records) await out.record(found, () => ({ fields: [] }));
    else await out.text(found.source);
  },
});
