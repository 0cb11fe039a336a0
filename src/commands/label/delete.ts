import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { many } from "../../command/args.ts";
import { labelDelete, labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findLabel, labelOwner, ownerFlags, ownerName } from "./shared.ts";

/** `tongs label delete`: DELETE each label, which removes it from all issues and pull requests. */
export const remove = defineCommand({
  summary: "Delete labels",
  details: "A deleted label is removed from all issues and pull requests.",
  on: "server",
  effect: "destroy",
  args: {
    label: many("names of labels, or their IDs; - reads them from stdin, one per line", {
      from: "label",
      source: "label",
    }),
  },
  flags: ownerFlags,
  exits: { partly: "some labels were deleted, some failed" },
  examples: [["Delete two labels", "tongs label delete wontfix invalid --yes"]],
  async run(context) {
    const { args, flags, http, prompt, server, system } = context;
    const targets = await readTargets(args.label, system);
    const owner = await labelOwner(flags, context);
    await requirePresentOwner(owner, http);
    const from = `from ${ownerName(owner)}`;
    const what = targets.length === 1 ? `label '${targets[0]}'` : `${targets.length} labels`;
    await prompt.confirmAction({ what: `Delete ${what} ${from}` });
    const labels = await collect(call(http, labelList, { level: owner }));
    return batch(
      targets,
      async (target) => {
        const { id, name } = findLabel(labels, target, owner);
        await call(http, labelDelete, { level: owner, id });
        return { message: `Deleted label '${name}' ${from} ${accountLabel(server)}` };
      },
      context,
    );
  },
});
