import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { dueDate } from "../../command/due-date.ts";
import { names, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText, type TypedText } from "../../prompts/keep-text.ts";
import type { Prompter } from "../../prompts/prompter.ts";
import { type EditWish, planEdit } from "./edit-plan.ts";
import { carryOut } from "./edit-steps.ts";
import { findPull, pullSelector } from "./find.ts";
import { pullName } from "./shared.ts";

/** `tongs pr edit`: GET, then only the requests for what differs. Additions and removals leave others' changes alone. */
export const edit = defineCommand({
  summary: "Edit a pull request",
  details: "Only what is named changes, and nothing is sent for what is so already. Without flags, a person is asked.",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: {
    title: text("the title", { short: "t" }),
    body: text("the text", { short: "b" }),
    bodyFile: text("read the text from a file, or stdin (-)", { placeholder: "FILE", short: "F" }),
    base: text("merge into this branch", { placeholder: "BRANCH", short: "B" }),
    addLabel: names("add labels"),
    removeLabel: names("remove labels"),
    addAssignee: names("assign users (@me: yourself)"),
    removeAssignee: names("assign users no longer"),
    addReviewer: names("ask users, or ORG/TEAM, for a review"),
    removeReviewer: names("ask for a review no longer"),
    milestone: text("milestone, by title or number", { placeholder: "NAME", short: "m" }),
    noMilestone: toggle("no milestone"),
    due: dueDate("due on this day (2026-12-24)"),
    noDue: toggle("no due date"),
    maintainerEdit: yesNo("let maintainers push to the head branch"),
  },
  exclusive: [
    ["body", "bodyFile"],
    ["milestone", "noMilestone"],
    ["due", "noDue"],
  ],
  output: pullRequest,
  examples: [
    ["A new title and one more label", 'tongs pr edit 12 --title "Add the buoys" --add-label docs'],
    ["Ask for another review", "tongs pr edit 12 --add-reviewer jonas --remove-reviewer priya"],
  ],
  async run(context) {
    const { args, flags, forge, repo, server, out, system, prompt } = context;
    const { bodyFile, ...asked } = flags;
    const body = await givenText(system, { text: flags.body, file: bodyFile, flag: "--body-file" });
    const isAsked = Object.values(flags).some(isGiven) || flags.maintainerEdit !== undefined;
    if (flags.title?.trim() === "") throw new UsageError("--title is empty, but a pull request needs a title");
    if (!isAsked && !prompt.able) {
      throw new UsageError("What shall be edited?", "Name it with flags such as --title; see: tongs pr edit --help");
    }
    const pull = await findPull(args.pr, context);
    const name = pullName(context, pull.number);
    const wish: EditWish = isAsked ? { ...asked, body } : await askPerson(prompt, pull, asked);
    const plan = await planEdit(context, pull, wish);
    const done = await keepingText(typedText(wish, bodyFile, !isAsked), out, () => carryOut(context, pull, plan));
    if (done.length === 0) {
      await out.done(`${name} is so already; nothing was sent`, { record: pull });
      return;
    }
    const message = `Edited ${name} (${[...new Set(done)].join(", ")}) ${accountLabel(server)}`;
    await out.done(message, { record: () => forge.pulls.get(repo, pull.number) });
  },
});

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

async function askPerson(prompt: Prompter, pull: PullRequest, wish: EditWish): Promise<EditWish> {
  const title = await prompt.text({ message: "Title", flag: "--title", default: pull.title });
  const rewrite = await prompt.confirm({ message: "Edit the text in your editor?", flag: "--body" });
  if (!rewrite) return { ...wish, title };
  return { ...wish, title, body: await prompt.editor({ message: "Text", flag: "--body", default: pull.body }) };
}

/** The text that would be lost: typed in an editor, or read from stdin. */
function typedText(wish: EditWish, file: string | undefined, prompted: boolean): TypedText | undefined {
  if (wish.body === undefined || !(prompted || file === "-")) return undefined;
  return { text: wish.body, flag: "--body-file" };
}
