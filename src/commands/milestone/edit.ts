import { defineCommand } from "../../app/define.ts";
import { changedFields } from "../../app/fields.ts";
import { givenText } from "../../app/input.ts";
import { one } from "../../command/args.ts";
import { dueDate } from "../../command/due-date.ts";
import { choice, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { editMilestone, milestone } from "../../forge/milestones.ts";
import { accountLabel } from "../../profiles/server.ts";
import { allMilestones, findMilestone, milestoneArgument, milestoneName } from "./shared.ts";

/** `tongs milestone edit`: PATCH a milestone. */
export const edit = defineCommand({
  summary: "Edit a milestone",
  on: "repository",
  effect: "write",
  args: { milestone: one(milestoneArgument, { source: "milestone", from: "milestone" }) },
  flags: {
    title: text("new title", { short: "t" }),
    description: text("new description", { short: "d" }),
    descriptionFile: text("read the description from a file; - reads stdin", {
      names: "input file",
      placeholder: "FILE",
    }),
    due: dueDate("due date, such as 2026-12-24"),
    noDue: toggle("remove the due date"),
    state: choice(["open", "closed"], "state"),
  },
  exclusive: [
    ["description", "descriptionFile"],
    ["due", "noDue"],
  ],
  output: milestone,
  examples: [
    ["Move the due date", "tongs milestone edit v1.2 --due 2027-01-31"],
    ["Rename it", 'tongs milestone edit v1.2 --title "v1.2 LTS"'],
  ],
  async run(context) {
    const { args, flags, http, repo, out, server, system } = context;
    if (flags.title?.trim() === "") throw new UsageError("--title must not be empty");
    const given = { text: flags.description, file: flags.descriptionFile, flag: "--description-file" };
    const body = {
      title: flags.title,
      description: await givenText(system, given),
      state: flags.state,
      due_on: flags.noDue ? null : flags.due,
    };
    const changed = changedFields(body);
    const found = findMilestone(await allMilestones(context), args.milestone, context);
    const edited = await editMilestone(http, repo, found, body);
    const message = `Updated ${milestoneName(found, context)} (${changed}) ${accountLabel(server)}`;
    await out.done(message, { record: edited });
  },
});
