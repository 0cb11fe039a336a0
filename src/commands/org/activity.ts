import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { activity as activityRecord, orgActivityList } from "../../forge/activities.ts";
import { call } from "../../forge/operation.ts";
import { list } from "../../shape/shape.ts";
import { activityColumns, dateFlag } from "../activity.ts";

/** `tongs org activity`: GET the activity feed of an organization. */
export const activity = defineCommand({
  summary: "List the activity in an organization, newest first",
  details: "The list is empty for a private organization that you are not a member of.",
  on: "server",
  effect: "read",
  lists: ["activity", "activities"],
  args: { org: one("organization") },
  flags: { date: dateFlag },
  output: list(activityRecord),
  examples: [["List what happened on a day", "tongs org activity tidewater --date 2026-03-31 --all"]],
  async run({ args, flags, http, out }) {
    await out.list(call(http, orgActivityList, { org: args.org, date: flags.date }), activityColumns);
  },
});
