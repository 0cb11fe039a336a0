import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { runner } from "../../forge/runners.ts";
import { levelFlags } from "../run/level.ts";
import { orPage } from "../run/unsupported.ts";
import { runnerSheet, runnersPage } from "./look.ts";

/** `tongs runner view`: GET one runner. */
export const view = defineCommand({
  summary: "Show a runner",
  on: "server",
  effect: "read",
  args: { id: one("the runner's id") },
  flags: levelFlags,
  exclusive: levelExclusive,
  output: runner,
  examples: [["One of the server's", "tongs runner view 3 --admin"]],
  async run(context) {
    const id = wholeNumber(context.args.id, "ID", 1);
    const level = await levelOf(context.flags, context);
    const get = () => context.forge.runners.get(level, id);
    await context.out.record(await orPage("show a runner", runnersPage(level, context), context, get), runnerSheet);
  },
});
