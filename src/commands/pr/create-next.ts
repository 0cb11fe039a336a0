import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { pickMany, pickOne } from "../../app/pick.ts";
import { currentUser } from "../../app/shared.ts";
import { Cancelled } from "../../failure/interruption.ts";
import type { CreatePullRequestOption } from "../../forge/generated/operations.ts";
import { collect } from "../../forge/listings.ts";
import { milestoneList } from "../../forge/milestones.ts";
import { call } from "../../forge/operation.ts";
import { assigneeList, reviewerList } from "../../forge/repos.ts";
import { teamList } from "../../forge/teams.ts";
import type { Choice } from "../../prompts/prompter.ts";
import { fullName } from "../../repo/repo-name.ts";
import { labelChoices, noneIfMissing, unlessEmpty } from "./choices.ts";

/** Labels, people and the milestone of a new pull request. */
export type PullMetadata = Pick<
  CreatePullRequestOption,
  "labels" | "assignees" | "reviewers" | "team_reviewers" | "milestone"
>;

/** What to do with a pull request whose title and body are written. */
export interface NextStep {
  readonly action: "submit" | "browser";
  readonly draft: boolean;
  readonly metadata: PullMetadata;
}

/** The flags of `pr create` for what was chosen; labels and the milestone by their IDs. */
export function chosenFlags({ draft, metadata }: NextStep, owner: string): string[] {
  const { labels = [], assignees = [], reviewers = [], team_reviewers: teams = [], milestone } = metadata;
  const each = (flag: string, values: readonly (string | number)[]) => values.flatMap((one) => [flag, `${one}`]);
  return [
    ...each("--label", labels),
    ...each("--assignee", assignees),
    ...each("--reviewer", [...reviewers, ...teams.map((team) => `${owner}/${team}`)]),
    ...each("--milestone", milestone ? [milestone] : []),
    ...(draft ? ["--draft"] : []),
  ];
}

type NextContext = RepositoryContext & Pick<BaseContext, "prompt" | "out">;

/** Prompts for what to do next, until it is not "Add metadata". Throws `Cancelled` for "Cancel". */
export async function promptForNext(
  context: NextContext,
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
    if (chosen === "metadata") {
      metadata = await promptForMetadata(context, metadata);
      continue;
    }
    const action = chosen === "browser" ? "browser" : "submit";
    return { action, draft: start.draft || chosen === "draft", metadata };
  }
}

type Picker = (context: NextContext, before: PullMetadata) => Promise<PullMetadata>;

const kinds: readonly Choice<Picker>[] = [
  { name: "Reviewers", value: pickReviewers },
  { name: "Assignees", value: pickAssignees },
  { name: "Labels", value: pickLabels },
  { name: "Milestone", value: pickMilestone },
];

/** Prompts for the kinds of metadata to set, then for each of them. A list that cannot be read is a warning. */
async function promptForMetadata(context: NextContext, before: PullMetadata): Promise<PullMetadata> {
  const { prompt } = context;
  const pickers = await prompt.selectMany({ message: "What would you like to add?", flag: "--label", choices: kinds });
  let metadata = before;
  for (const pick of pickers) {
    const before = metadata;
    metadata = { ...metadata, ...(await unlessEmpty(context, () => pick(context, before))) };
  }
  return metadata;
}

async function pickLabels(context: NextContext, before: PullMetadata): Promise<PullMetadata> {
  const { repo, prompt } = context;
  const chosen = await pickMany(prompt, await labelChoices(context), {
    message: "Labels",
    flag: "--label",
    what: `labels in ${fullName(repo)}`,
    name: (label) => label.name,
    isChosen: ({ id }) => before.labels?.includes(id) === true,
  });
  return { labels: chosen.map(({ id }) => id) };
}

async function pickAssignees({ http, repo, prompt }: NextContext, before: PullMetadata): Promise<PullMetadata> {
  const chosen = await pickMany(prompt, await collect(call(http, assigneeList, { repo })), {
    message: "Assignees",
    flag: "--assignee",
    what: `users to assign in ${fullName(repo)}`,
    name: ({ login }) => login,
    describe: ({ full_name }) => full_name,
    isChosen: ({ login }) => before.assignees?.includes(login) === true,
  });
  return { assignees: chosen.map(({ login }) => login) };
}

/** Users, and teams of the organization as `ORG/TEAM`. The author cannot review. */
async function pickReviewers(context: NextContext, before: PullMetadata): Promise<PullMetadata> {
  const { http, repo, prompt } = context;
  const author = (await currentUser(context)).toLowerCase();
  const users = (await collect(call(http, reviewerList, { repo }))).filter(
    ({ login }) => login.toLowerCase() !== author,
  );
  const teams = await collect(call(http, teamList, { org: repo.owner })).catch(noneIfMissing);
  const all = [
    ...users.map(({ login, full_name }) => ({ name: login, login, team: undefined, full_name })),
    ...teams.map((team) => ({ name: `${repo.owner}/${team.name}`, login: undefined, team: team.name, full_name: "" })),
  ];
  const chosen = await pickMany(prompt, all, {
    message: "Reviewers",
    flag: "--reviewer",
    what: `users who can review in ${fullName(repo)}`,
    name: ({ name }) => name,
    describe: ({ full_name }) => full_name,
    isChosen: ({ login, team }) =>
      (login !== undefined && before.reviewers?.includes(login) === true) ||
      (team !== undefined && before.team_reviewers?.includes(team) === true),
  });
  return {
    reviewers: chosen.flatMap(({ login }) => login ?? []),
    team_reviewers: chosen.flatMap(({ team }) => team ?? []),
  };
}

async function pickMilestone({ http, repo, prompt }: NextContext): Promise<PullMetadata> {
  const chosen = await pickOne(prompt, await collect(call(http, milestoneList, { repo, state: "open" })), {
    message: "Milestone",
    flag: "--milestone",
    what: `open milestones in ${fullName(repo)}`,
    name: ({ title = "" }) => title,
  });
  return { milestone: chosen.id };
}
