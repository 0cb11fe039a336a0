import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { milestone } from "../../forge/milestones.ts";
import { allMilestones, findMilestone, milestoneArgument, milestoneSheet } from "./shared.ts";

/** `tongs milestone view`: the milestone with a title or an ID. */
export const view = defineCommand({
  summary: "View a milestone",
  on: "repository",
  effect: "read",
  args: { milestone: one(milestoneArgument, { source: "milestone" }) },
  output: milestone,
  examples: [
    ["View a milestone", "tongs milestone view v1.2"],
    ["Print the number of open issues", "tongs milestone view v1.2 --jq .open_issues"],
  ],
  web: {
    async page(context) {
      const { id } = findMilestone(await allMilestones(context), context.args.milestone, context);
      return repoPage(context.repo, "milestone", id);
    },
  },
  async run(context) {
    const found = findMilestone(await allMilestones(context), context.args.milestone, context);
    await context.out.record(found, (shown) => milestoneSheet(shown, context));
  },
});
