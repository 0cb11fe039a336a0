import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { milestoneDelete } from "../../forge/milestones.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { allMilestones, findMilestone, milestoneName } from "./shared.ts";

/** `tongs milestone delete`: DELETE each milestone; its issues stay. */
export const remove = defineCommand({
  summary: "Delete milestones",
  details: "The issues and pull requests of a deleted milestone are kept.",
  on: "repository",
  effect: "destroy",
  args: {
    milestone: many("titles of milestones, or their IDs; - reads them from stdin, one per line", {
      source: "milestone",
      from: "milestone",
    }),
  },
  exits: { partly: "some milestones were deleted, some failed" },
  examples: [["Delete a milestone", "tongs milestone delete v1.2 --yes"]],
  async run(context) {
    const { args, http, prompt, repo, server, system } = context;
    const targets = await readTargets(args.milestone, system);
    const what = targets.length === 1 ? `milestone '${targets[0]}'` : `${targets.length} milestones`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    const all = await allMilestones(context);
    return batch(
      targets,
      async (target) => {
        const found = findMilestone(all, target, context);
        await call(http, milestoneDelete, { repo, id: found.id });
        return { message: `Deleted ${milestoneName(found, context)} ${accountLabel(server)}` };
      },
      context,
    );
  },
});
