import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import { call } from "../../forge/operation.ts";
import { runner, runnerList } from "../../forge/runners.ts";
import { list as listOf } from "../../shape/shape.ts";
import { orWebPage } from "../run/shared.ts";
import { runnerColumns, runnersPage } from "./shared.ts";

/** `tongs runner list`: GET the runners of a repository, an organization, a user or (all of them) the server. */
export const list = defineCommand({
  summary: "List runners",
  details:
    "Lists the runners registered for the repository, organization, account or server itself. Jobs of a repository also " +
    "run on the runners of its owner and of the server.",
  on: "server",
  effect: "read",
  lists: ["runner", "runners"],
  flags: levelFlags,
  exclusive: levelExclusive,
  output: listOf(runner),
  examples: [
    ["List the runners of the current repository", "tongs runner list"],
    ["List all runners of the server", "tongs runner list --admin --all"],
  ],
  web: {
    page: async (context) => settingsPage(await levelOf(context.flags, context), "actions/runners"),
    uses: ["org", "user", "admin"],
  },
  async run(context) {
    const level = await levelOf(context.flags, context);
    const list = () => context.out.list(call(context.http, runnerList, { level }), runnerColumns);
    await orWebPage("list runners", runnersPage(level, context), context, list);
  },
});
