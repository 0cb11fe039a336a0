import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import { orWebPage } from "../../app/web-instead.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { runner, runnerGet } from "../../forge/runners.ts";
import { runnerSheet, runnersPage } from "./shared.ts";

/** `tongs runner view`: GET one runner. */
export const view = defineCommand({
  summary: "View a runner",
  on: "server",
  effect: "read",
  args: { id: one("runner ID", { source: "runner" }) },
  flags: levelFlags,
  exclusive: levelExclusive,
  output: runner,
  examples: [["View a runner of the server", "tongs runner view 3 --admin"]],
  web: {
    page: async (context) => settingsPage(await levelOf(context.flags, context), `actions/runners/${context.args.id}`),
    uses: ["org", "user", "admin"],
  },
  async run(context) {
    const id = wholeNumber(context.args.id, "ID", 1);
    const level = await levelOf(context.flags, context);
    const get = () => call(context.http, runnerGet, { level, runner_id: id });
    await context.out.record(await orWebPage("view a runner", runnersPage(level, context), context, get), runnerSheet);
  },
});
