import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { orWebPage } from "../../app/web-instead.ts";
import { many } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { runnerDelete } from "../../forge/runners.ts";
import { runnersPage } from "./shared.ts";

/** `tongs runner delete`: DELETE each runner. */
export const remove = defineCommand({
  summary: "Delete runners",
  on: "server",
  effect: "destroy",
  args: { id: many("runner IDs; - reads them from stdin, one per line", { source: "runner" }) },
  flags: levelFlags,
  exclusive: levelExclusive,
  exits: { partly: "some runners were deleted, some failed" },
  examples: [["Delete two runners of the server", "tongs runner delete 3 4 --admin --yes"]],
  async run(context) {
    const { args, flags, http } = context;
    const level = await levelOf(flags, context);
    await requirePresentOwner(level, http);
    const page = runnersPage(level, context);
    const remove = (id: number) =>
      orWebPage("delete a runner", page, context, () => call(http, runnerDelete, { level, runner_id: id }));
    return deleteById({ ids: args.id, noun: "runner", delete: remove }, context);
  },
});
