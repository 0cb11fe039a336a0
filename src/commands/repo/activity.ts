import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { activity as activityRecord, repoActivityList } from "../../forge/activities.ts";
import { call } from "../../forge/operation.ts";
import { list } from "../../shape/shape.ts";
import { activityColumns, dateFlag } from "../activity.ts";

/** `tongs repo activity`: GET the activity feed of a repository. */
export const activity = defineCommand({
  summary: "List the activity in a repository, newest first",
  on: "repository",
  effect: "read",
  lists: ["activity", "activities"],
  flags: { date: dateFlag },
  output: list(activityRecord),
  examples: [["List what happened on a day", "tongs repo activity --date 2026-03-31 --all"]],
  web: { page: ({ repo }) => repoPage(repo, "activity") },
  async run({ flags, http, repo, out }) {
    await out.list(call(http, repoActivityList, { repo, date: flags.date }), activityColumns);
  },
});
