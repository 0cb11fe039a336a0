import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { issueName } from "../../app/issue-selector.ts";
import { currentUser } from "../../app/shared.ts";
import { dueDate } from "../../command/due-date.ts";
import { inputFile, names, text, texts } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { requireApplied } from "../../failure/ignored.ts";
import type { IssueTemplate } from "../../forge/issue-templates.ts";
import { createIssue, issue } from "../../forge/issues.ts";
import { labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { findByName, resolveLabels, resolveMilestone, resolveUsers } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { editorName } from "../../prompts/editor.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { askFields } from "./ask-form.ts";
import { bodyOfForm, fieldsOfForm, missingFields, readFields } from "./form.ts";
import { chooseTemplate, findTemplate } from "./templates.ts";

/** `tongs issue create`: POST an issue, from a template if there is one. */
export const create = defineCommand({
  summary: "Create an issue",
  details:
    "Prints the URL of the issue. A template sets labels, assignees and the text; the fields of a form are set with " +
    "--field, and a field with several values or checkboxes takes it several times. On a terminal, tongs prompts for " +
    "the template, its fields and the title.",
  on: "repository",
  effect: "write",
  flags: {
    title: text("title of the issue", { short: "t" }),
    body: text("body of the issue", { short: "b" }),
    bodyFile: inputFile("read the body from a file", { short: "F" }),
    template: text("use a template, by its name or file name", { short: "T", placeholder: "NAME" }),
    field: texts("set a field of the template's form", { placeholder: "ID=VALUE" }),
    label: names("add labels", { short: "l", source: "label" }),
    assignee: names("assign users (@me for yourself)", { short: "a", source: "user" }),
    milestone: text("set the milestone, by title or number", { placeholder: "NAME", short: "m", source: "milestone" }),
    due: dueDate("set the due date, such as 2026-12-24"),
  },
  exclusive: [["body", "bodyFile", "template"]],
  output: issue,
  examples: [
    ["Create an issue", 'tongs issue create --title "The lamp is dark" --body "Since nine." --label bug'],
    [
      "Fill in a form",
      'tongs issue create --template "Bug report" --title "The lamp is dark" --field where=north --field "sure=I looked"',
    ],
  ],
  async run(context) {
    const { flags, http, repo, server, out, system, prompt } = context;
    if (flags.title?.trim() === "") throw new UsageError("--title must not be empty");
    const body = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    if (flags.title === undefined && flags.template === undefined && !prompt.able) {
      throw new UsageError("--title is required");
    }
    const template = await selectTemplate(context, body);
    if (flags.field.length > 0 && !template?.body?.length) {
      throw new UsageError("--field requires a template with a form", "List the templates: tongs issue template list");
    }
    const ids = await resolveNames(context, template);
    const written = await issueText(context, template, body);
    const option = { title: written.title, body: written.body, ref: refOf(template), due_date: flags.due, ...ids };
    const typed = written.typed ? { text: written.body, flag: "--body-file" } : undefined;
    const made = await keepingText(typed, out, () => createIssue(http, repo, option));
    const name = issueName(repo, made.number);
    const message = `Created issue ${name} ${accountLabel(server)}`;
    await out.done(message, { prints: made.html_url ?? made.number, record: made });
    requireApplied(name);
  },
});

type CreateContext = RepositoryContext &
  Pick<BaseContext, "system" | "out" | "prompt"> & {
    readonly flags: {
      readonly title: string | undefined;
      readonly bodyFile: string | undefined;
      readonly template: string | undefined;
      readonly field: readonly string[];
      readonly label: readonly string[];
      readonly assignee: readonly string[];
      readonly milestone: string | undefined;
    };
  };

/** The named template, or the one that is chosen at a prompt. Undefined without one. */
async function selectTemplate(context: CreateContext, body: string | undefined): Promise<IssueTemplate | undefined> {
  const { flags, prompt } = context;
  if (flags.template !== undefined) return findTemplate(flags.template, context);
  const isComplete = body !== undefined || (flags.title !== undefined && flags.field.length === 0);
  return isComplete || !prompt.able ? undefined : chooseTemplate(context);
}

/** Title and body from the flags, the template and prompts. `typed`: a failure would lose the body. */
async function issueText(
  { flags, prompt, system }: CreateContext,
  template: IssueTemplate | undefined,
  given: string | undefined,
): Promise<{ readonly title: string; readonly body: string; readonly typed: boolean }> {
  const fields = fieldsOfForm(template);
  const values = await readFields(fields, flags.field, system.signal);
  if (!prompt.able) {
    const missing = [...(flags.title === undefined ? ["--title"] : []), ...missingFields(fields, values)];
    if (missing.length > 0) {
      throw new UsageError(`Missing: ${missing.join(", ")}`, `See them: tongs issue template view '${template?.name}'`);
    }
  }
  const check = (value: string) => value.trim() !== "" || "The title must not be empty.";
  const start = template?.title ?? "";
  const title =
    flags.title ??
    (await prompt.text({ message: "Title", flag: "--title", check, ...(start === "" ? {} : { default: start }) }));
  if (given !== undefined) return { title, body: given, typed: flags.bodyFile === "-" };
  if (fields.length > 0) {
    const answers = prompt.able ? await askFields(fields, values, { prompt, system }) : values;
    return { title, body: bodyOfForm(fields, answers), typed: prompt.able };
  }
  const content = template?.content?.trim() ?? "";
  if (!prompt.able || flags.title !== undefined) return { title, body: content, typed: false };
  const write = await prompt.select({
    message: "Body",
    flag: "--body",
    choices: [
      { name: `Edit in ${editorName(system)}`, value: true },
      { name: content === "" ? "Leave it empty" : "Use the template", value: false },
    ],
  });
  if (!write) return { title, body: content, typed: false };
  return { title, body: await prompt.editor({ message: "Body", flag: "--body", default: content }), typed: true };
}

/** The branch that a template names. */
function refOf(template: IssueTemplate | undefined): string | undefined {
  const ref = template?.ref ?? "";
  return ref === "" || ref === "refs/heads/" ? undefined : ref;
}

/** The ids of what the flags name, and of what the template names and exists. */
async function resolveNames(context: CreateContext, template: IssueTemplate | undefined) {
  const { http, repo, flags, out } = context;
  const [labels, milestone, assignees, wanted] = await allSettledOrThrow([
    resolveLabels(http, repo, flags.label),
    flags.milestone === undefined ? undefined : resolveMilestone(http, repo, flags.milestone),
    resolveUsers(http, repo, flags.assignee, () => currentUser(context)),
    template?.labels?.length ? collect(call(http, labelList, { level: { of: "repository", repo } })) : [],
  ]);
  const fromTemplate = (template?.labels ?? []).flatMap((name) => {
    const found = findByName(wanted, name, (label) => label.name);
    if (found === undefined) out.warn(`The template names a label that does not exist: ${name}`);
    return found ?? [];
  });
  const some = <T>(items: readonly T[]) => (items.length === 0 ? undefined : [...new Set(items)]);
  return {
    labels: some([...fromTemplate, ...labels].map(({ id }) => id)),
    milestone: milestone?.id,
    assignees: some([...(template?.assignees ?? []), ...assignees]),
  };
}
