import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { editMilestone, milestone } from "../../forge/milestones.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { allMilestones, findMilestone, milestoneName } from "./shared.ts";

/** `milestone close` and `milestone reopen`: PATCH the state of each. */
function stateCommand(state: "closed" | "open") {
  const [verb, done, typed] = state === "closed" ? ["Close", "Closed", "close"] : ["Reopen", "Reopened", "reopen"];
  return defineCommand({
    summary: `${verb} milestones`,
    on: "repository",
    effect: "write",
    args: {
      milestone: many("titles of milestones, or their IDs; - reads them from stdin, one per line", {
        source: "milestone",
        from: "milestone",
      }),
    },
    output: listOf(milestone),
    exits: { partly: `some milestones were ${done.toLowerCase()}, some failed` },
    examples: [[`${verb} a milestone`, `tongs milestone ${typed} v1.2`]],
    async run(context) {
      const { args, http, repo, server, system } = context;
      const targets = await readTargets(args.milestone, system);
      const all = await allMilestones(context);
      return batch(
        targets,
        async (target) => {
          const found = findMilestone(all, target, context);
          const record = await editMilestone(http, repo, found, { state });
          return { message: `${done} ${milestoneName(found, context)} ${accountLabel(server)}`, record };
        },
        context,
      );
    },
  });
}

/** `tongs milestone close`. */
export const close = stateCommand("closed");

/** `tongs milestone reopen`. */
export const reopen = stateCommand("open");
