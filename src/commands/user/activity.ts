import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { optional } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { activity as activityRecord, userActivityList } from "../../forge/activities.ts";
import { call } from "../../forge/operation.ts";
import { list } from "../../shape/shape.ts";
import { activityColumns, dateFlag } from "../activity.ts";

/** `tongs user activity`: GET the activity feed of a user. */
export const activity = defineCommand({
  summary: "List the activity of a user, newest first",
  details:
    "The feed also includes the activity of others in repositories that the user watches, unless --own is given.",
  on: "server",
  effect: "read",
  lists: ["activity", "activities"],
  args: { name: optional("username (default: you)") },
  flags: { date: dateFlag, own: toggle("only the user's own actions", { filters: true }) },
  output: list(activityRecord),
  examples: [["List what a user did", "tongs user activity mara --own"]],
  async run(context) {
    const { args, flags, http, out } = context;
    const name = args.name ?? (await currentUser(context));
    const query = { date: flags.date, "only-performed-by": flags.own || undefined } as const;
    await out.list(call(http, userActivityList, { username: name, ...query }), activityColumns);
  },
});
