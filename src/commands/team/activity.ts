import { defineCommand } from "../../app/define.ts";
import { activity as activityRecord, teamActivityList } from "../../forge/activities.ts";
import { call } from "../../forge/operation.ts";
import { list } from "../../shape/shape.ts";
import { activityColumns, dateFlag } from "../activity.ts";
import { findTeam, teamArgument } from "./find.ts";

/** `tongs team activity`: GET the activity feed of a team. */
export const activity = defineCommand({
  summary: "List the activity in the repositories of a team, newest first",
  on: "server",
  effect: "read",
  lists: ["activity", "activities"],
  args: { team: teamArgument },
  flags: { date: dateFlag },
  output: list(activityRecord),
  examples: [["List what happened on a day", "tongs team activity tidewater/pilots --date 2026-03-31 --all"]],
  async run(context) {
    const { args, flags, http, out } = context;
    const { date } = flags;
    const { id } = await findTeam(args.team, context);
    await out.list(call(http, teamActivityList, { id, date }), activityColumns);
  },
});
