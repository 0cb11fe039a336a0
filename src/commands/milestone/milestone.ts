import type { RepositoryContext } from "../../app/context.ts";
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
import {
  createMilestone,
  editMilestone,
  type Milestone,
  milestone,
  milestoneDelete,
  milestoneList,
  milestoneSettings,
} from "../../forge/milestones.ts";
import { call } from "../../forge/operation.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { System } from "../../system/system.ts";
import { atStart } from "../../text/format.ts";
import {
  allMilestones,
  findMilestone,
  milestoneColumns,
  milestoneName,
  milestoneSheet,
  milestoneUrl,
} from "./shared.ts";

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
