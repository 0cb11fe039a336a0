import { typedBody } from "../../app/comment-text.ts";
import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { dueDate } from "../../command/due-date.ts";
import { names, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { pullGet, pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { type EditFlags, planEdit } from "./edit-plan.ts";
import { applyEdit } from "./edit-steps.ts";
import { findPull, pullSelector } from "./find.ts";
import { pullName } from "./shared.ts";

/**
 * `tongs pr edit`: GET, then only the requests for what differs. Labels and people are added and removed one by one.
 */
export const edit = defineCommand({
  summary: "Edit a pull request",
  details: "Changes only the given fields. Without flags, tongs prompts for the fields to edit on a terminal.",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: {
    title: text("set the title", { short: "t" }),
    body: text("set the body", { short: "b" }),
    bodyFile: text("read the body from a file; - reads stdin", {
      names: "input file",
      placeholder: "FILE",
      short: "F",
    }),
    base: text("change the base branch", { placeholder: "BRANCH", short: "B", source: "branch" }),
    addLabel: names("add labels", { source: "label" }),
    removeLabel: names("remove labels", { source: "label" }),
    addAssignee: names("add assignees (@me for yourself)", { source: "user" }),
    removeAssignee: names("remove assignees", { source: "user" }),
    addReviewer: names("request reviews from users, or from teams as ORG/TEAM", { source: "user" }),
    removeReviewer: names("remove requested reviewers", { source: "user" }),
    milestone: text("set the milestone, by title or number", { placeholder: "NAME", short: "m", source: "milestone" }),
    noMilestone: toggle("remove the milestone"),
    due: dueDate("set the due date, such as 2026-12-24"),
    noDue: toggle("remove the due date"),
    maintainerEdit: yesNo("allow maintainers to push to the head branch"),
  },
  exclusive: [
    ["body", "bodyFile"],
    ["milestone", "noMilestone"],
    ["due", "noDue"],
  ],
  output: pullRequest,
  examples: [
    ["Change the title and add a label", 'tongs pr edit 12 --title "Add the buoys" --add-label docs'],
    ["Replace a reviewer", "tongs pr edit 12 --add-reviewer jonas --remove-reviewer priya"],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out, system, prompt } = context;
    const { bodyFile, ...given } = flags;
    const body = await givenText(system, { text: flags.body, file: bodyFile, flag: "--body-file" });
    const hasEdits = Object.values(flags).some(isGiven) || flags.maintainerEdit !== undefined;
    if (flags.title?.trim() === "") throw new UsageError("--title must not be empty");
    if (!hasEdits && !prompt.able) {
      throw new UsageError("Nothing to change: pass at least one flag", "Run tongs pr edit --help for the flags.");
    }
    let edits: EditFlags = { ...given, body };
    const typed = () => typedBody(edits.body, flags, !hasEdits);
    const { pull, changed, failure } = await keepingText(typed, out, async () => {
      const pull = await findPull(args.pr, context);
      if (!hasEdits) {
        const { promptForEdit } = await import("./edit-prompts.ts");
        for await (const answer of promptForEdit(context, pull)) edits = { ...edits, ...answer };
      }
      return { pull, ...(await applyEdit(context, pull, await planEdit(context, pull, edits))) };
    });
    const name = pullName(context, pull.number);
    if (changed.length === 0 && failure === undefined) {
      await out.done(`Pull request ${name} is already up to date; nothing was changed`, { record: pull });
      return;
    }
    const message = `Edited pull request ${name} (${[...new Set(changed)].join(", ")}) ${accountLabel(server)}`;
    const record = () => call(http, pullGet, { repo, index: pull.number });
    await out.done(changed.length > 0 ? message : undefined, { record });
    if (failure !== undefined) throw failure;
  },
});

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
