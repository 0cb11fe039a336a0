import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { levelExclusive, levelOf } from "../../app/level.ts";
import { many } from "../../command/args.ts";
import { levelFlags } from "../run/level.ts";
import { orPage } from "../run/unsupported.ts";
import { runnersPage } from "./look.ts";

/** `tongs runner delete`: DELETE each runner. */
export const remove = defineCommand({
  summary: "Delete runners",
  on: "server",
  effect: "destroy",
  args: { id: many("the runners' ids; - reads them from stdin, one a line") },
  flags: levelFlags,
  exclusive: levelExclusive,
  exits: { partly: "some were deleted, some could not be" },
  examples: [["Two of the server's", "tongs runner delete 3 4 --admin --yes"]],
  async run(context) {
    const { args, flags, forge } = context;
    const level = await levelOf(flags, context);
    const page = runnersPage(level, context);
    const remove = (id: number) => orPage("delete a runner", page, context, () => forge.runners.delete(level, id));
    return deleteById({ ids: args.id, noun: "runner", delete: remove }, context);
  },
});
