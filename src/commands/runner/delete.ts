import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { accountLabel } from "../../profiles/server.ts";
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
    const { args, flags, forge, prompt, server, system } = context;
    const ids = (await readTargets(args.id, system)).map((id) => wholeNumber(id, "ID", 1));
    const level = await levelOf(flags, context);
    await prompt.confirmAction({ what: ids.length === 1 ? `Delete runner ${ids[0]}` : `Delete ${ids.length} runners` });
    const work = async (id: number) => {
      await orPage("delete a runner", runnersPage(level, context), context, () => forge.runners.delete(level, id));
      return { message: `Deleted runner ${id} ${accountLabel(server)}` };
    };
    return batch(ids, work, context);
  },
});
