import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { accountLabel } from "../../profiles/server.ts";
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
    const { args, flags, forge, prompt, server, system } = context;
    const ids = (await readTargets(args.id, system)).map((id) => wholeNumber(id, "ID", 1));
    const owner = await levelOf(flags, context);
    await prompt.confirmAction({
      what: `Delete ${ids.length === 1 ? `hook ${ids[0]}` : `${ids.length} hooks`} of ${ownerName(owner)}`,
    });
    const work = async (id: number) => {
      await forge.hooks.delete(owner, id);
      return { message: `Deleted hook ${id} of ${ownerName(owner)} ${accountLabel(server)}` };
    };
    return batch(ids, work, context);
  },
});
