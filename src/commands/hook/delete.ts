import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { hookDelete } from "../../forge/hooks.ts";
import { call } from "../../forge/operation.ts";
import { ownerName } from "./shared.ts";

/** `tongs hook delete`: DELETE each hook. */
export const remove = defineCommand({
  summary: "Delete webhooks",
  on: "server",
  effect: "destroy",
  args: { id: many("webhook IDs; - reads them from stdin, one per line", { source: "hook" }) },
  flags: levelFlags,
  exclusive: levelExclusive,
  exits: { partly: "some webhooks were deleted, some failed" },
  examples: [["Delete a webhook", "tongs hook delete 3 --yes"]],
  async run(context) {
    const { args, flags, http } = context;
    const owner = await levelOf(flags, context);
    await requirePresentOwner(owner, http);
    return deleteById(
      {
        ids: args.id,
        noun: "webhook",
        owner: ownerName(owner),
        delete: (id) => call(http, hookDelete, { level: owner, id }),
      },
      context,
    );
  },
});
