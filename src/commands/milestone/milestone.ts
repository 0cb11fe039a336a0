import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import type { Command } from "../../app/define.ts";
import { flagsOf } from "../../app/fields.ts";
import { givenText } from "../../app/input.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { filtered, repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { choiceOr, type FlagValues, inputFile, text, toggle } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { dueDate } from "../../command/time-flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import {
  createMilestone,
  editMilestone,
  type Milestone,
  milestone,
  milestoneDelete,
  milestoneList,
  milestoneSettings,
} from "../../forge/milestones.ts";
import { oneNamed } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { dueDay, state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { System } from "../../system/system.ts";
import { atStart } from "../../text/format.ts";

/** The milestones of a repository, for `findMilestone`. */
function allMilestones({ http, repo }: RepositoryContext): Promise<Milestone[]> {
  return collect(call(http, milestoneList, { repo, state: "all" }));
}

/** The milestone with this title or ID. Throws a usage error if several have the title. */
function findMilestone(
  milestones: readonly Milestone[],
  typed: string,
  { repo }: Pick<RepositoryContext, "repo">,
): Milestone {
  const where = `in ${fullName(repo)}`;
  return oneNamed(milestones, typed, { kind: "milestone", nameOf: ({ title = "" }) => title, where });
}

/** `milestone 'Spring'`, for messages. */
function milestoneName({ id, title = "" }: Milestone): string {
  return `milestone ${title === "" ? id : `'${title}'`}`;
}

/** The web page of a milestone; its record has none. */
function milestoneUrl({ id }: Milestone, { repo, server }: Pick<RepositoryContext, "repo" | "server">): string {
  return `${addressText(server.base)}/${repo.owner}/${repo.name}/milestone/${id}`;
}

/** The columns of a list of milestones. */
const milestoneColumns = [
  column<Milestone>("TITLE", "title", { flexible: true }),
  column<Milestone>("STATE", "state", { as: "state", rank: "optional" }),
  column<Milestone>("PROGRESS", "open_issues", progress),
  column<Milestone>("DUE", "due_on", { as: "day" }),
  column<Milestone>("ID", "id", { rank: "optional" }),
];

/** How many issues are closed: `2 of 5 closed (40%)`, or `no issues`. */
function progress({ open_issues = 0, closed_issues = 0 }: Milestone): string {
  const total = open_issues + closed_issues;
  return total === 0
    ? "no issues"
    : `${closed_issues} of ${total} closed (${Math.floor((100 * closed_issues) / total)}%)`;
}

/** A milestone, field by field. */
function milestoneSheet(
  milestone: Milestone,
  context: Pick<RepositoryContext, "repo" | "server"> & Pick<BaseContext, "out">,
): Sheet {
  return {
    title: milestone.title ?? "",
    fields: [
      ["id", milestone.id],
      ["state", state(milestone.state)],
      ["progress", progress(milestone)],
      ["due", dueDay(milestone.due_on)],
      ["created", when(milestone.created_at)],
      ["updated", when(milestone.updated_at)],
      ["closed", when(milestone.closed_at)],
      ["url", styled("link", milestoneUrl(milestone, context))],
    ],
    body: milestone.description,
    markdown: true,
  };
}

const milestones = resource({
  ...inRepository,
  noun: ["milestone", "milestones"],
  a: "a milestone",
  record: milestone,
  argument: {
    key: "milestone",
    one: "title of the milestone, or its ID",
    many: "titles of milestones, or their IDs",
    source: "milestone",
  },
  async select(context) {
    const all = await allMilestones(context);
    return (typed) => findMilestone(all, typed, context);
  },
  name: milestoneName,
  page: ({ id }, repo) => repoPage(repo, "milestone", id),
});

const settingFlags = {
  ...flagsOf(milestoneSettings),
  descriptionFile: inputFile("read the description from a file"),
  due: dueDate("due date, such as 2026-12-24"),
};

/** The settings that were given. */
async function settingsIn(flags: FlagValues<typeof settingFlags>, system: System) {
  const given = { text: flags.description, file: flags.descriptionFile, flag: "--description-file" };
  return { description: await givenText(system, given), due_on: flags.due, state: flags.state };
}

/** Servers allow a second milestone of a title, which then no longer names one. */
function milestoneExists(same: Milestone, context: RepositoryContext): Failure {
  const message = `${atStart(milestoneName(same))} already exists in ${fullName(context.repo)}`;
  return new Failure("exists", message, { hint: milestoneUrl(same, context) });
}

/** The verbs of `tongs milestone`. */
export const verbs: Table<Command> = {
  list: milestones.list({
    flags: {
      state: choiceOr(["open", "closed", "all"], "open", "filter by state", { short: "s", filters: "state" }),
      name: text("filter by a part of the title", { placeholder: "TEXT", filters: true }),
    },
    columns: milestoneColumns,
    fetch: ({ flags, http, repo }) => call(http, milestoneList, { repo, state: flags.state, name: flags.name }),
    page: ({ flags, repo }) =>
      filtered(repoPage(repo, "milestones"), { state: flags.state === "open" ? undefined : flags.state }),
    pageUses: ["state"],
    examples: [
      ["List open milestones", "tongs milestone list"],
      ["Print titles and due dates as JSON", "tongs milestone list --state all --json title,due_on"],
    ],
  }),
  view: milestones.view({
    sheet: milestoneSheet,
    examples: [
      ["View a milestone", "tongs milestone view v1.2"],
      ["Print the number of open issues", "tongs milestone view v1.2 --jq .open_issues"],
    ],
  }),
  create: milestones.create({
    args: { title: one("title of the milestone") },
    flags: settingFlags,
    exclusive: [["description", "descriptionFile"]],
    exits: { refused: "a milestone with this title exists" },
    async body(context) {
      const { args, flags, system } = context;
      if (args.title.trim() === "") throw new UsageError("The title must not be empty");
      const settings = await settingsIn(flags, system);
      // Servers allow a second milestone of a title.
      const same = (await allMilestones(context)).find(({ title }) => title === args.title);
      if (same !== undefined) throw milestoneExists(same, context);
      return { title: args.title, ...settings };
    },
    send: (body, { http, repo }) => createMilestone(http, repo, body),
    prints: milestoneUrl,
    examples: [["Create a milestone with a due date", "tongs milestone create v1.2 --due 2026-12-24"]],
  }),
  edit: milestones.edit({
    flags: {
      title: text("new title", { short: "t" }),
      ...settingFlags,
      noDue: toggle("remove the due date"),
    },
    exclusive: [
      ["description", "descriptionFile"],
      ["due", "noDue"],
    ],
    async body({ flags, system }) {
      if (flags.title?.trim() === "") throw new UsageError("--title must not be empty");
      const settings = await settingsIn(flags, system);
      return { title: flags.title, ...settings, ...(flags.noDue ? { due_on: null } : {}) };
    },
    async send(found, body, context) {
      const isNew = body.title !== undefined && body.title !== found.title;
      const all = isNew ? await allMilestones(context) : [];
      const same = all.find(({ id, title }) => id !== found.id && title === body.title);
      if (same !== undefined) throw milestoneExists(same, context);
      return editMilestone(context.http, context.repo, found, body);
    },
    exits: { refused: "a milestone with the new title exists" },
    examples: [
      ["Move the due date", "tongs milestone edit v1.2 --due 2027-01-31"],
      ["Rename it", 'tongs milestone edit v1.2 --title "v1.2 LTS"'],
    ],
  }),
  close: milestones.each({
    verb: ["close", "closed"],
    work: (found, { http, repo }) => editMilestone(http, repo, found, { state: "closed" }),
    examples: [["Close a milestone", "tongs milestone close v1.2"]],
  }),
  reopen: milestones.each({
    verb: ["reopen", "reopened"],
    work: (found, { http, repo }) => editMilestone(http, repo, found, { state: "open" }),
    examples: [["Reopen a milestone", "tongs milestone reopen v1.2"]],
  }),
  delete: milestones.delete({
    sends: milestoneDelete,
    details: "The issues and pull requests of a deleted milestone are kept.",
    work: ({ id }, { http, repo }) => call(http, milestoneDelete, { repo, id }),
    examples: [["Delete a milestone", "tongs milestone delete v1.2 --yes"]],
  }),
};
