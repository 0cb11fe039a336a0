import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { milestone } from "../../forge/milestones.ts";
import { allMilestones, findMilestone, milestoneArgument, milestoneSheet, milestoneUrl } from "./shared.ts";

/** `tongs milestone view`: the milestone with a title or an ID. */
export const view = defineCommand({
  summary: "View a milestone",
  on: "repository",
  effect: "read",
  args: { milestone: one(milestoneArgument, { source: "milestone" }) },
  flags: { web: toggle("open the milestone in the browser", { short: "w", opensBrowser: true }) },
  output: milestone,
  examples: [
    ["View a milestone", "tongs milestone view v1.2"],
    ["Print the number of open issues", "tongs milestone view v1.2 --jq .open_issues"],
  ],
  async run(context) {
    const { args, flags, out, system } = context;
    const found = findMilestone(await allMilestones(context), args.milestone, context);
    if (!flags.web) return out.record(found, (shown) => milestoneSheet(shown, context));
    const { openPage } = await import("../../output/browser.ts");
    out.note(`Opening ${milestoneUrl(found, context)} in your browser.`);
    return openPage(system, milestoneUrl(found, context));
  },
});
