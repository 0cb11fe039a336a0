import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { pickMany, pickOne } from "../../app/pick.ts";
import { endOfDay } from "../../command/due-date.ts";
import { UsageError } from "../../failure/failure.ts";
import { branchList } from "../../forge/branches.ts";
import { collect } from "../../forge/listings.ts";
import { milestoneList } from "../../forge/milestones.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { assigneeList, reviewerList } from "../../forge/repos.ts";
import { fullName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";
import { labelChoices, unlessEmpty } from "./choices.ts";
import type { EditFlags } from "./edit-plan.ts";

type PromptContext = RepositoryContext & Pick<BaseContext, "prompt" | "out">;
type Edits = Partial<EditFlags>;
type Ask = (context: PromptContext, pull: PullRequest) => Promise<Edits>;

const fields: readonly (readonly [name: string, ask: Ask])[] = [
  ["Title", askTitle],
  ["Body", askBody],
  ["Base branch", askBase],
  ["Reviewers", askReviewers],
  ["Assignees", askAssignees],
  ["Labels", askLabels],
  ["Milestone", askMilestone],
  ["Due date", askDue],
  ["Edits by maintainers", askMaintainerEdit],
];

/** Prompts for the fields to edit, then for each of them; yields what the flags would say after each prompt. */
export async function* promptForEdit(context: PromptContext, pull: PullRequest): AsyncGenerator<Edits> {
  const chosen = await context.prompt.selectMany({
    message: "What would you like to edit?",
    flag: "--title",
    choices: fields.map(([name, value]) => ({ name, value })),
  });
  for (const ask of chosen) yield unlessEmpty(context, () => ask(context, pull));
}

async function askTitle({ prompt }: PromptContext, pull: PullRequest): Promise<Edits> {
  const check = (value: string) => value.trim() !== "" || "The title must not be empty.";
  return { title: await prompt.text({ message: "Title", flag: "--title", default: pull.title, check }) };
}

async function askBody({ prompt }: PromptContext, pull: PullRequest): Promise<Edits> {
  return { body: await prompt.editor({ message: "Body", flag: "--body", default: pull.body ?? "" }) };
}

async function askBase({ prompt, http, repo }: PromptContext): Promise<Edits> {
  const branch = await pickOne(prompt, await collect(call(http, branchList, { repo })), {
    message: "Base branch",
    flag: "--base",
    what: `branches in ${fullName(repo)}`,
    name: ({ name }) => name,
  });
  return { base: branch.name };
}

async function askReviewers({ prompt, http, repo }: PromptContext, pull: PullRequest): Promise<Edits> {
  const requested = present(pull.requested_reviewers).map(({ login }) => login);
  const users = await collect(call(http, reviewerList, { repo }));
  const names = users.map(({ login }) => login).filter((login) => login !== pull.user?.login);
  const { added, removed } = await pickChange(prompt, names, requested, {
    message: "Reviewers",
    flag: "--add-reviewer",
    what: `users who can review in ${fullName(repo)}`,
  });
  return { addReviewer: added, removeReviewer: removed };
}

async function askAssignees({ prompt, http, repo }: PromptContext, pull: PullRequest): Promise<Edits> {
  const assigned = present(pull.assignees).map(({ login }) => login);
  const names = (await collect(call(http, assigneeList, { repo }))).map(({ login }) => login);
  const { added, removed } = await pickChange(prompt, names, assigned, {
    message: "Assignees",
    flag: "--add-assignee",
    what: `users to assign in ${fullName(repo)}`,
  });
  return { addAssignee: added, removeAssignee: removed };
}

async function askLabels(context: PromptContext, pull: PullRequest): Promise<Edits> {
  const { prompt, repo } = context;
  const current = present(pull.labels).map(({ name }) => name);
  const names = (await labelChoices(context)).map(({ name }) => name);
  const { added, removed } = await pickChange(prompt, names, current, {
    message: "Labels",
    flag: "--add-label",
    what: `labels in ${fullName(repo)}`,
  });
  return { addLabel: added, removeLabel: removed };
}

async function askMilestone({ prompt, http, repo }: PromptContext): Promise<Edits> {
  const open = (await collect(call(http, milestoneList, { repo, state: "open" }))).map(({ title = "" }) => title);
  const chosen = await pickOne(prompt, [undefined, ...open], {
    message: "Milestone",
    flag: "--milestone",
    what: `milestones in ${fullName(repo)}`,
    name: (title) => title ?? "(none)",
  });
  return chosen === undefined ? { noMilestone: true } : { milestone: chosen };
}

async function askDue({ prompt }: PromptContext): Promise<Edits> {
  const check = (value: string): true | string => {
    try {
      if (value !== "") endOfDay(value, "The due date");
      return true;
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
  };
  const typed = await prompt.text({ message: "Due date, such as 2026-12-24 (empty: none)", flag: "--due", check });
  return typed === "" ? { noDue: true } : { due: endOfDay(typed, "The due date") };
}

async function askMaintainerEdit({ prompt }: PromptContext, pull: PullRequest): Promise<Edits> {
  const message = "Allow maintainers to push to the head branch?";
  const allowed = pull.allow_maintainer_edit === true;
  return { maintainerEdit: await prompt.confirm({ message, flag: "--maintainer-edit", default: allowed }) };
}

/** Prompts for any of the names, those that are set first, and returns what differs. */
async function pickChange(
  prompt: PromptContext["prompt"],
  names: readonly string[],
  before: readonly string[],
  question: { readonly message: string; readonly flag: string; readonly what: string },
): Promise<{ readonly added: string[]; readonly removed: string[] }> {
  const all = [...new Set([...before, ...names])];
  const isChosen = (name: string) => before.includes(name);
  const chosen = await pickMany(prompt, all, { ...question, name: (name) => name, isChosen });
  return {
    added: chosen.filter((name) => !isChosen(name)),
    removed: before.filter((name) => !chosen.includes(name)),
  };
}
