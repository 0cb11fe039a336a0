import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import {
  checkedConfig,
  type IssueTemplate,
  issueConfigGet,
  issueConfigValidate,
  issueTemplate,
  issueTemplateList,
} from "../../forge/issue-templates.ts";
import { call } from "../../forge/operation.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { type Field, fieldsOfForm } from "./form.ts";
import { findTemplate } from "./templates.ts";

const columns = [
  column<IssueTemplate>("NAME", "name"),
  column<IssueTemplate>("TYPE", "body", ({ body }) => (body?.length ? "form" : "markdown")),
  column<IssueTemplate>("ABOUT", "about", { flexible: true }),
  column<IssueTemplate>("FILE", "file_name", { style: "plain" }),
];

/** `tongs issue template list`: GET the issue templates. */
export const list = defineCommand({
  summary: "List the issue templates",
  details: "Templates with errors are omitted; Gitea warns about them.",
  on: "repository",
  effect: "read",
  lists: ["issue template", "issue templates"],
  output: listOf(issueTemplate),
  examples: [["List the issue templates", "tongs issue template list"]],
  web: { page: ({ repo }) => repoPage(repo, "issues/new/choose") },
  async run({ http, repo, out }) {
    await out.list(call(http, issueTemplateList, { repo }), columns);
  },
});

/** `tongs issue template view`: one of the issue templates. */
export const view = defineCommand({
  summary: "View an issue template",
  details: "For a form, shows the IDs of its fields for tongs issue create --field.",
  on: "repository",
  effect: "read",
  args: { template: one("name or file name of the template") },
  output: issueTemplate,
  examples: [["Show the fields of a form", 'tongs issue template view "Bug report"']],
  web: { page: ({ repo }) => repoPage(repo, "issues/new/choose") },
  async run(context) {
    await context.out.record(await findTemplate(context.args.template, context), sheet);
  },
});

function sheet(template: IssueTemplate): Sheet {
  return {
    title: template.name,
    fields: [
      ["about", template.about],
      ["title", template.title],
      ["labels", (template.labels ?? []).join(", ")],
      ["assignees", (template.assignees ?? []).join(", ")],
      ["file", template.file_name],
    ],
    body: template.content?.trim(),
    sections: fieldsOfForm(template).map((field) => ({ title: titleOf(field), body: describe(field) })),
  };
}

function titleOf({ type, id, label, required }: Field): string {
  return type === "markdown" ? "Note" : `${id} (${type}${required ? ", required" : ""}): ${label}`;
}

function describe({ description, value, options, multiple }: Field): string {
  const lines = options.map(({ label, required, isDefault }) => {
    const notes = [...(required ? ["required"] : []), ...(isDefault ? ["default"] : [])];
    return `- ${label}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
  });
  return [description, value, ...lines, multiple ? "Multiple choices are allowed." : ""]
    .filter((line) => line !== "")
    .join("\n");
}

/** `tongs issue config`: GET the issue configuration and, with `--check`, whether its file is valid. */
export const config = defineCommand({
  summary: "View the issue configuration",
  details:
    "Shows whether blank issues are allowed, and the contact links. The server uses the defaults if the file has " +
    "errors; --check reports them, and its result is in the keys valid and message of the JSON formats.",
  on: "repository",
  effect: "read",
  flags: { check: toggle("check the file: exit 0 if it is valid, 1 if not") },
  output: checkedConfig,
  exits: { failure: "with --check: the file is not valid" },
  examples: [
    ["View the issue configuration", "tongs issue config"],
    ["Check its file in CI", "tongs issue config --check"],
  ],
  async run({ flags, http, repo, out }) {
    const [found, checked] = await Promise.all([
      call(http, issueConfigGet, { repo }),
      flags.check ? call(http, issueConfigValidate, { repo }) : undefined,
    ]);
    await out.record({ ...found, ...checked }, ({ blank_issues_enabled, contact_links }) => ({
      fields: [
        ["blank issues", blank_issues_enabled ? "allowed" : "not allowed"],
        ...(contact_links ?? []).map(({ name, url, about }) => ["contact", `${name}: ${url} (${about})`] as const),
        ...(checked === undefined ? [] : [["valid", checked.valid ? "yes" : `no: ${checked.message}`] as const]),
      ],
    }));
    return checked?.valid === false ? "failure" : undefined;
  },
});
