import { type Named, type PromptContext, pickMilestone, pickNames, unlessEmpty } from "../../app/issues/prompts.ts";
import { currentUser } from "../../app/shared.ts";
import { Cancelled } from "../../failure/interruption.ts";
import type { Choice } from "../../prompts/prompter.ts";
import { isTeam, isUser } from "./reviewers.ts";

/** Labels, people and the milestone of a new pull request. */
export interface PullMetadata {
  readonly labels: readonly Named[];
  readonly assignees: readonly string[];
  /** Teams are named `ORG/TEAM`. */
  readonly reviewers: readonly string[];
  readonly milestone: number | undefined;
}

/** What to do with a pull request whose title and body are written. */
export interface NextStep {
  readonly action: "submit" | "browser";
  readonly draft: boolean;
  readonly metadata: PullMetadata;
}

/** The metadata as the API takes it. */
export function metadataFields({ labels, assignees, reviewers, milestone }: PullMetadata) {
  const some = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);
  return {
    labels: some(labels.flatMap(({ id }) => id ?? [])),
    assignees: some(assignees),
    reviewers: some(reviewers.filter(isUser)),
    team_reviewers: some(reviewers.filter(isTeam).map((name) => name.slice(name.indexOf("/") + 1))),
    milestone,
  };
}

/** Prompts for what to do next, until it is not "Add metadata". Throws `Cancelled` for "Cancel". */
export async function promptForNext(
  context: PromptContext,
  start: { readonly draft: boolean; readonly metadata: PullMetadata; readonly pushes: string | undefined },
): Promise<NextStep> {
  const { prompt } = context;
  let { metadata } = start;
  const description = start.pushes === undefined ? {} : { description: `pushes ${start.pushes} first` };
  const choices: readonly Choice<"submit" | "draft" | "metadata" | "browser" | "cancel">[] = [
    ...(start.draft ? [] : [{ name: "Submit", value: "submit" as const, ...description }]),
    { name: "Submit as draft", value: "draft", ...description },
    { name: "Add metadata", value: "metadata", description: "labels, reviewers, assignees, milestone" },
    { name: "Continue in browser", value: "browser", ...description },
    { name: "Cancel", value: "cancel" },
  ];
  for (;;) {
    const chosen = await prompt.select({ message: "What's next?", flag: "--fill", choices });
    if (chosen === "cancel") throw new Cancelled();
    if (chosen !== "metadata") {
      const action = chosen === "browser" ? "browser" : "submit";
      return { action, draft: start.draft || chosen === "draft", metadata };
    }
    const pickers = await prompt.selectMany({
      message: "What would you like to add?",
      flag: "--label",
      choices: kinds,
    });
    for (const pick of pickers) {
      const before = metadata;
      metadata = { ...before, ...(await unlessEmpty(context, () => pick(before, context))) };
    }
  }
}

type Picker = (before: PullMetadata, context: PromptContext) => Promise<Partial<PullMetadata>>;

const namesOf = (list: readonly Named[]) => list.map(({ name }) => name);
const named = (names: readonly string[]) => names.map((name) => ({ name }));

const kinds: readonly Choice<Picker>[] = [
  {
    name: "Reviewers",
    value: async ({ reviewers }, context) => {
      const author = await currentUser(context);
      return { reviewers: namesOf(await pickNames("reviewers", "--reviewer", named(reviewers), context, author)) };
    },
  },
  {
    name: "Assignees",
    value: async ({ assignees }, context) => ({
      assignees: namesOf(await pickNames("assignees", "--assignee", named(assignees), context)),
    }),
  },
  {
    name: "Labels",
    value: async ({ labels }, context) => ({ labels: await pickNames("labels", "--label", labels, context) }),
  },
  { name: "Milestone", value: async (_, context) => ({ milestone: (await pickMilestone(context)).id }) },
];
