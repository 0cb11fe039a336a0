import { attachDetails, attachFlags, readAttached, withUploads } from "../../app/attach/attach.ts";
import { planAttachments } from "../../app/attach/plan.ts";
import { attachAfter, recordWith } from "../../app/attach/upload.ts";
import type { CommandContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Draft, draftFlags, requireEditor, templateBodies, writeDraft } from "../../app/draft.ts";
import { givenText } from "../../app/input.ts";
import { issueName } from "../../app/issue-selector.ts";
import type { NoArgs } from "../../app/resource-verbs.ts";
import { currentUser } from "../../app/shared.ts";
import { continueAt, filtered, repoPage } from "../../app/web.ts";
import { names, text, texts } from "../../command/flags.ts";
import { dueDate } from "../../command/time-flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { under } from "../../forge/applied.ts";
import type { IssueTemplate } from "../../forge/issue-templates.ts";
import { createIssue, editIssue, issue } from "../../forge/issues.ts";
import { labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { findByName, resolveLabels, resolveMilestone, resolveUsers } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { repoGet } from "../../forge/repos.ts";
import { ifVisible } from "../../http/errors.ts";
import { accountLabel, addressText, commandOn } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { askFields } from "./ask-form.ts";
import { bodyOfForm, fieldsOfForm, missingFields, readFields } from "./form.ts";
import { chooseTemplate, findTemplate } from "./templates.ts";

const flags = {
  ...draftFlags("issue"),
  template: text("use a template, by its name or file name", { short: "T", placeholder: "NAME" }),
  field: texts("set a field of the template's form", { placeholder: "ID=VALUE" }),
  label: names("add labels", { short: "l", source: "label" }),
  assignee: names("assign users (@me for yourself)", { short: "a", source: "user" }),
  milestone: text("set the milestone, by title or number", { placeholder: "NAME", short: "m", source: "milestone" }),
  due: dueDate("set the due date, such as 2026-12-24"),
  ...attachFlags,
};

type CreateContext = CommandContext<"repository", NoArgs, typeof flags>;

/** `tongs issue create`: POST an issue, from a template if there is one. */
export const create = defineCommand({
  summary: "Create an issue",
  details:
    "Prints the URL of the issue. A template sets labels, assignees and the text; the fields of a form are set with " +
    "--field, and a field with several values or checkboxes takes it several times. On a terminal, tongs prompts for " +
    `the template, its fields and the title. ${attachDetails}`,
  on: "repository",
  effect: "write",
  flags,
  exclusive: [
    ["attach", "web"],
    ["body", "bodyFile", "template", "recover"],
    ["title", "recover"],
    ["editor", "recover", "web"],
  ],
  output: withUploads(issue),
  exits: {
    failure: "it was created, but the server did not apply a field",
    partly: "it was created, but a file was not uploaded",
  },
  examples: [
    ["Create an issue", 'tongs issue create --title "The lamp is dark" --body "Since nine." --label bug'],
    ["Write title and body in the editor", "tongs issue create --editor"],
    [
      "Upload the images that the text shows, and a file",
      "tongs issue create --title Dark --body-file dark.md --attach log.txt",
    ],
    [
      "Fill in a form",
      'tongs issue create --template "Bug report" --title "The lamp is dark" --field where=north --field "sure=I looked"',
    ],
  ],
  async run(context) {
    const { flags, http, repo, server, out, system, prompt } = context;
    const attached = await readAttached(flags, flags.bodyFile, system);
    const body = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    requireEditor(flags.editor, prompt);
    const hasTitle = flags.title !== undefined || flags.template !== undefined || flags.recover !== undefined;
    if (!hasTitle && !flags.web && !prompt.able) throw new UsageError("--title is required");
    const template = await selectTemplate(context, body);
    if (flags.field.length > 0 && !template?.body?.length) {
      throw new UsageError("--field requires a template with a form", "List the templates: tongs issue template list");
    }
    if (flags.web) return continueInBrowser(context, template, body);
    if (flags.editor && template?.body?.length) {
      throw new UsageError("--editor cannot be used with a form", "Set its fields with --field, or at the prompts.");
    }
    const ids = await resolveNames(context, template);
    const written = await issueText(context, template, body);
    const option = { title: written.title, body: written.body, ref: refOf(template), due_date: flags.due, ...ids };
    const { uploads, made } = await keepingText(written.typed, out, async () => {
      const text = { body: written.body, others: written.others, file: flags.bodyFile };
      const uploads = await planAttachments(attached, text, { ...context, owner: repo.owner });
      return { uploads, made: await uploads.named(createIssue(http, repo, option)) };
    });
    const name = issueName(repo, made.number);
    const created = `Created issue ${name}`;
    const { value, uploaded, failure } = await attachAfter(
      uploads,
      {
        target: { of: "issue", repo, id: made.number },
        name,
        created,
        finish: ["tongs", "issue", "edit", `${made.number}`, "-R", fullName(repo)],
        edit: (text) => editIssue(http, repo, made.number, { body: text }),
      },
      context,
    );
    const record = recordWith(value ?? made, uploaded);
    await out.done(`${created} ${accountLabel(server)}`, { prints: made.html_url ?? made.number, record, what: name });
    if (failure !== undefined) throw failure;
    return undefined;
  },
});

/** The named template, or the one that is chosen at a prompt. Undefined without one. */
async function selectTemplate(context: CreateContext, body: string | undefined): Promise<IssueTemplate | undefined> {
  const { flags, prompt } = context;
  if (flags.recover !== undefined) return undefined;
  if (flags.template !== undefined) return findTemplate(flags.template, context);
  const isComplete = flags.web || body !== undefined || (flags.title !== undefined && flags.field.length === 0);
  return isComplete || !prompt.able ? undefined : chooseTemplate(context);
}

/** Opens the page for a new issue, with title and body filled in. Warns about what has to be set there. */
async function continueInBrowser(
  context: CreateContext,
  template: IssueTemplate | undefined,
  body: string | undefined,
): Promise<undefined> {
  const { flags, server, repo, out } = context;
  const others = (["field", "label", "assignee", "milestone", "due"] as const).filter((key) => flags[key]?.length);
  if (others.length > 0) out.warn(`Set in the browser: ${others.join(", ")}`);
  const filled = { template: template?.file_name, title: flags.title, body };
  const page = `${addressText(server.base)}${repoPage(repo, "issues/new")}`;
  return continueAt(page, filtered(page, filled), context);
}

/** Title and body from the flags, the template, the editor and prompts. */
async function issueText(
  context: CreateContext,
  template: IssueTemplate | undefined,
  body: string | undefined,
): Promise<Draft> {
  const { flags, prompt, system } = context;
  const { title, editor, recover } = flags;
  const content = template?.content?.trim() ?? "";
  const start = async () => {
    const fields = editor ? [] : fieldsOfForm(template);
    const values = await readFields(fields, flags.field, system.signal);
    const missing = [...(title === undefined ? ["--title"] : []), ...missingFields(fields, values)];
    if (!prompt.able && missing.length > 0)
      throw new UsageError(`Missing: ${missing.join(", ")}`, `See them: tongs issue template view '${template?.name}'`);
    const answered = async () => (prompt.able ? askFields(fields, values, { prompt, system }) : values);
    const form = fields.length === 0 ? undefined : async () => bodyOfForm(fields, await answered());
    const bodies = templateBodies(system, content === "" ? "Leave it empty" : "Use the template", async () => content);
    // With a title, nothing is asked.
    return { title: template?.title, bodies: title === undefined ? bodies : bodies.slice(1), form };
  };
  return writeDraft({ title, body, editor, recover, fromStdin: flags.bodyFile === "-" }, start, context);
}

/** The branch that a template names. */
function refOf(template: IssueTemplate | undefined): string | undefined {
  const ref = template?.ref ?? "";
  return ref === "" || ref === "refs/heads/" ? undefined : ref;
}

/** Throws if issues are elsewhere or disabled (docs/server-differences.md, "Issues"): servers create one that nobody sees. */
async function requireTracker({ http, repo, server }: CreateContext): Promise<void> {
  const found = await ifVisible(call(http, repoGet, { repo }));
  const name = fullName(repo);
  const address = trackerAddress(found?.external_tracker);
  if (address !== undefined)
    throw new Failure("refused", `The issues of ${name} are in another tracker: ${address}`, {
      hint: `Create it there. To use the tracker of the server, run: ${commandOn(server, `tongs repo edit ${name} --enable-time-tracker`)}`,
    });
  if (found !== undefined && under("has_issues")(found) === false)
    throw new Failure("refused", `Issues are disabled in ${name}`, {
      hint: `To enable them, run: ${commandOn(server, `tongs repo edit ${name} --has-issues`)}`,
    });
}

function trackerAddress(tracker: unknown): string | undefined {
  if (typeof tracker !== "object" || tracker === null) return undefined;
  return "external_tracker_url" in tracker ? String(tracker.external_tracker_url) : "";
}

/** The ids of what the flags name, and of what the template names and exists. */
async function resolveNames(context: CreateContext, template: IssueTemplate | undefined) {
  const { http, repo, flags, out } = context;
  const [labels, milestone, assignees, wanted] = await allSettledOrThrow([
    resolveLabels(http, repo, flags.label),
    flags.milestone === undefined ? undefined : resolveMilestone(http, repo, flags.milestone),
    resolveUsers(http, repo, flags.assignee, () => currentUser(context)),
    template?.labels?.length ? collect(call(http, labelList, { level: { of: "repository", repo } })) : [],
    requireTracker(context),
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
