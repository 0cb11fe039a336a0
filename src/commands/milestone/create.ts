import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { one } from "../../command/args.ts";
import { dueDate } from "../../command/due-date.ts";
import { choice, text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { createMilestone, milestone } from "../../forge/milestones.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { allMilestones, milestoneName, milestoneUrl } from "./shared.ts";

/** `tongs milestone create`: POST a milestone. A second milestone of a title is not created, although servers allow it. */
export const create = defineCommand({
  summary: "Create a milestone",
  on: "repository",
  effect: "write",
  args: { title: one("title of the milestone") },
  flags: {
    description: text("description", { short: "d" }),
    descriptionFile: text("read the description from a file; - reads stdin", {
      names: "input file",
      placeholder: "FILE",
    }),
    due: dueDate("due date, such as 2026-12-24"),
    state: choice(["open", "closed"], "state (default: open)"),
  },
  exclusive: [["description", "descriptionFile"]],
  output: milestone,
  exits: { refused: "a milestone with this title exists" },
  examples: [["Create a milestone with a due date", "tongs milestone create v1.2 --due 2026-12-24"]],
  async run(context) {
    const { args, flags, http, repo, out, server, system } = context;
    if (args.title.trim() === "") throw new UsageError("The title must not be empty");
    const given = { text: flags.description, file: flags.descriptionFile, flag: "--description-file" };
    const description = await givenText(system, given);
    const same = (await allMilestones(context)).find(({ title }) => title === args.title);
    if (same !== undefined) {
      const name = milestoneName(same).replace(/^m/, "M");
      throw new Failure("exists", `${name} already exists in ${fullName(repo)}`, {
        hint: milestoneUrl(same, context),
      });
    }
    const { due, state } = flags;
    const created = await createMilestone(http, repo, { title: args.title, description, due_on: due, state });
    const message = `Created ${milestoneName(created)} in ${fullName(repo)} ${accountLabel(server)}`;
    await out.done(message, { prints: milestoneUrl(created, context), record: created });
  },
});
