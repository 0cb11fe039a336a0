import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { runner } from "../../forge/runners.ts";
import { list as listOf } from "../../shape/shape.ts";
import { levelFlags } from "../run/level.ts";
import { orPage } from "../run/unsupported.ts";
import { runnerColumns, runnersPage } from "./look.ts";

/** `tongs runner list`: GET the runners of a level; those of the server are all of them. */
export const list = defineCommand({
  summary: "List runners",
  details: "A level lists its own: jobs of a repository also go to runners of its owner and of the server.",
  on: "server",
  effect: "read",
  flags: levelFlags,
  exclusive: levelExclusive,
  output: listOf(runner),
  examples: [
    ["Those of the repository here", "tongs runner list"],
    ["Every runner of the server", "tongs runner list --admin --all"],
  ],
  async run(context) {
    const level = await levelOf(context.flags, context);
    const list = () => context.out.list(context.forge.runners.list(level), runnerColumns);
    await orPage("list runners", runnersPage(level, context), context, list);
  },
});
