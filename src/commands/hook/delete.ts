import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { levelExclusive, levelOf } from "../../app/level.ts";
import { many } from "../../command/args.ts";
import { ownerFlags, ownerName } from "./owner.ts";

/** `tongs hook delete`: DELETE each hook. */
export const remove = defineCommand({
  summary: "Delete webhooks",
  on: "server",
  effect: "destroy",
  args: { id: many("the hooks' ids; - reads them from stdin, one a line") },
  flags: ownerFlags,
  exclusive: levelExclusive,
  exits: { partly: "some were deleted, some could not be" },
  examples: [["Delete one", "tongs hook delete 3 --yes"]],
  async run(context) {
    const { args, flags, forge } = context;
    const owner = await levelOf(flags, context);
    return deleteById(
      { ids: args.id, noun: "hook", owner: ownerName(owner), delete: (id) => forge.hooks.delete(owner, id) },
      context,
    );
  },
});
