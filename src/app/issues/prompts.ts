import { titleProblem } from "../../command/flags.ts";
import { endOfDay } from "../../command/time-flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { type Milestone, milestoneList } from "../../forge/milestones.ts";
import { call } from "../../forge/operation.ts";
import { assigneeList, reviewerList } from "../../forge/repos.ts";
import { teamList } from "../../forge/teams.ts";
import { DeniedError, ifVisible } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";
import type { BaseContext, RepositoryContext } from "../context.ts";
import { pickMany, pickOne } from "../pick.ts";
import type { EditFlags, Item } from "./edit.ts";

export type PromptContext = RepositoryContext & Pick<BaseContext, "prompt" | "out">;

/** A field that can be edited, and the prompt for it, which returns what the flags would say. */
export type EditField<R, F> = readonly [name: string, ask: (context: PromptContext, record: R) => Promise<Partial<F>>];

/** Prompts for the fields to edit, then for each of them; yields what the flags would say after each prompt. */
export async function* promptForEdit<R, F extends object>(
  fields: readonly EditField<R, F>[],
  record: R,
  context: PromptContext,
): AsyncGenerator<Partial<F>> {
  const chosen = await context.prompt.selectMany({
    message: "What would you like to edit?",
    flag: "--title",
    choices: fields.map(([name, value]) => ({ name, value })),
  });
  for (const ask of chosen) yield unlessEmpty(context, () => ask(context, record));
}

/** Prompts for one of several fields. A list that is empty or cannot be read is a warning, and the field is left out. */
export async function unlessEmpty<T extends object>(
  { out }: Pick<BaseContext, "out">,
  ask: () => Promise<T>,
): Promise<Partial<T>> {
  try {
    return await ask();
  } catch (error) {
    const isEmpty = error instanceof Failure && error.code === "nothing_to_choose";
    if (!(error instanceof DeniedError) && !isEmpty) throw error;
    out.warn(error.message);
    return {};
  }
}

/** The title and the body. */
export const textFields: readonly EditField<Item, EditFlags>[] = [
  [
    "Title",
    async ({ prompt }, { title }) => {
      const check = (value: string) => titleProblem(value) ?? true;
      return { title: await prompt.text({ message: "Title", flag: "--title", default: title, check }) };
    },
  ],
  [
    "Body",
    async ({ prompt }, { body = "" }) => ({
      body: await prompt.editor({ message: "Body", flag: "--body", default: body }),
    }),
  ],
];

/** Who works on it, its labels, and when it is to be done. */
export const planningFields: readonly EditField<Item, EditFlags>[] = [
  [
    "Assignees",
    async (context, { assignees }) => {
      const before = present(assignees).map(({ login }) => ({ name: login }));
      const { added, removed } = await pickChange("assignees", "--add-assignee", before, context);
      return { addAssignee: added, removeAssignee: removed };
    },
  ],
  [
    "Labels",
    async (context, { labels }) => {
      const { added, removed } = await pickChange("labels", "--add-label", present(labels), context);
      return { addLabel: added, removeLabel: removed };
    },
  ],
  [
    "Milestone",
    async (context) => {
      const chosen = await pickMilestone(context, [undefined]);
      return chosen === undefined ? { noMilestone: true } : { milestone: chosen.title ?? "" };
    },
  ],
  ["Due date", ({ prompt }) => askDue(prompt)],
];

async function askDue(prompt: PromptContext["prompt"]): Promise<Partial<EditFlags>> {
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

/** What can be chosen of a list, by its name; of labels, several can have the same. */
export interface Named {
  readonly id?: number;
  readonly name: string;
  readonly full_name?: string;
}

const lists = {
  assignees: {
    message: "Assignees",
    what: "users to assign",
    read: async ({ http, repo }: PromptContext): Promise<Named[]> =>
      (await collect(call(http, assigneeList, { repo }))).map(asNamed),
  },
  labels: {
    message: "Labels",
    what: "labels",
    read: async ({ http, repo }: PromptContext): Promise<Named[]> => [
      ...(await collect(call(http, labelList, { level: { of: "repository", repo } }))),
      // Only organizations have labels and teams, which only members can list.
      ...((await ifVisible(collect(call(http, labelList, { level: { of: "organization", org: repo.owner } })))) ?? []),
    ],
  },
  reviewers: {
    message: "Reviewers",
    what: "users who can review",
    read: async ({ http, repo }: PromptContext): Promise<Named[]> => {
      const users = await collect(call(http, reviewerList, { repo }));
      const teams = (await ifVisible(collect(call(http, teamList, { org: repo.owner })))) ?? [];
      return [...users.map(asNamed), ...teams.map(({ name }) => ({ name: `${repo.owner}/${name}` }))];
    },
  },
};

function asNamed({
  login,
  full_name = "",
}: {
  readonly login: string;
  readonly full_name?: string | undefined;
}): Named {
  return { name: login, full_name };
}

/** Prompts for any of a list, those that are set first; teams are named `ORG/TEAM`. `except` is who cannot be chosen. */
export async function pickNames(
  list: keyof typeof lists,
  flag: string,
  before: readonly Named[],
  context: PromptContext,
  except?: string,
): Promise<readonly Named[]> {
  const { message, what, read } = lists[list];
  const keyOf = ({ id, name }: Named) => `${id ?? name}`;
  const isOther = ({ name }: Named) => name.toLowerCase() !== except?.toLowerCase();
  const all = new Map([...before, ...(await read(context)).filter(isOther)].map((one) => [keyOf(one), one]));
  return pickMany(context.prompt, [...all.values()], {
    message,
    flag,
    what: `${what} in ${fullName(context.repo)}`,
    name: ({ name }) => name,
    describe: ({ full_name }) => full_name,
    isChosen: (one) => before.some((other) => keyOf(other) === keyOf(one)),
  });
}

/** Prompts for any of a list, and returns the names that differ from what is set. */
export async function pickChange(
  ...question: Parameters<typeof pickNames>
): Promise<{ readonly added: string[]; readonly removed: string[] }> {
  const [before, chosen] = [question[2], await pickNames(...question)].map((all) => all.map(({ name }) => name));
  const without = (names: readonly string[] = [], others: readonly string[] = []) =>
    names.filter((name) => !others.includes(name));
  return { added: without(chosen, before), removed: without(before, chosen) };
}

/** Prompts for an open milestone; `none` is offered first. */
export async function pickMilestone<N extends undefined = never>(
  { http, repo, prompt }: PromptContext,
  none: readonly N[] = [],
): Promise<Milestone | N> {
  return pickOne<Milestone | N>(
    prompt,
    [...none, ...(await collect(call(http, milestoneList, { repo, state: "open" })))],
    {
      message: "Milestone",
      flag: "--milestone",
      what: `open milestones in ${fullName(repo)}`,
      name: (milestone) => milestone?.title ?? "(none)",
    },
  );
}
