import { attachDetails, attachFlags, withUploads } from "../../app/attach/attach.ts";
import { defineCommand } from "../../app/define.ts";
import { editExclusive, listFlags, planningFlags, textFlags } from "../../app/edit-flags.ts";
import { checkNames, editItems } from "../../app/issues/edit.ts";
import { choice, names, text, yesNo } from "../../command/flags.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { list } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { type PullEditFlags, pullSteps } from "./edit-steps.ts";
import { findPull, pullSelectors } from "./find.ts";
import { baseOptions, milestoneOptions, pullFilterFlags, pullStates } from "./list-filters.ts";
import { filtersDetails, type PullTarget, planFlag, pullTargets } from "./many.ts";
import { isUser, resolveReviewers } from "./reviewers.ts";

/**
 * `tongs pr edit`: GET, then only the requests for what differs. Labels and people are added and removed one by one.
 */
export const edit = defineCommand({
  summary: "Edit pull requests",
  details: `Changes only the given fields. Without flags, tongs prompts for the fields to edit on a terminal. ${filtersDetails} ${attachDetails}`,
  on: "repository",
  effect: "write",
  args: { pr: pullSelectors },
  flags: {
    ...textFlags,
    base: text("change the base branch", { placeholder: "BRANCH", short: "B", source: "branch" }),
    ...listFlags,
    addReviewer: names("request reviews from users, or from teams as ORG/TEAM", { source: "user" }),
    removeReviewer: names("remove requested reviewers", { source: "user", opposite: "addReviewer" }),
    ...planningFlags,
    maintainerEdit: yesNo("allow maintainers to push to the head branch"),
    state: choice(pullStates, "filter by state (default: open)", { short: "s", filters: true }),
    fromBase: text("filter by base branch", baseOptions),
    fromMilestone: text("filter by milestone", milestoneOptions),
    ...pullFilterFlags,
    plan: planFlag,
    ...attachFlags,
  },
  exclusive: editExclusive,
  output: list(withUploads(pullRequest)),
  exits: { partly: "some pull requests were edited, some failed" },
  examples: [
    ["Change the title and add a label", 'tongs pr edit 12 --title "Add the buoys" --add-label docs'],
    ["Label two pull requests", "tongs pr edit 4 12 --add-label docs"],
    ["Change the base of all from a branch", "tongs pr edit --from-base release/1.2 --base main --yes"],
    ["Attach a file", "tongs pr edit 12 --attach buoys.png"],
    ["Replace a reviewer", "tongs pr edit 12 --add-reviewer jonas --remove-reviewer priya"],
  ],
  async run(context) {
    const { state, fromBase, fromMilestone, head, author, assignee, label, draft, search, plan, ...flags } =
      context.flags;
    const filters = { state, base: fromBase, milestone: fromMilestone, head, author, assignee, label, draft, search };
    const check = () =>
      allSettledOrThrow([
        checkNames(flags, context.repo, context),
        resolveReviewers(flags.addReviewer.filter(isUser), undefined, context),
      ]);
    return editItems<PullEditFlags, PullRequest, PullRequest, PullTarget>(
      {
        noun: "pr",
        targets: pullTargets({ state: "open", filters, check }, context),
        plan,
        changes: { ...flags, noMaintainerEdit: flags.maintainerEdit === false },
        read: ({ selector }) => findPull(selector, context),
        async *ask(pull) {
          yield* (await import("./edit-prompts.ts")).promptForPull(pull, context);
        },
        more: (pull, edits) => pullSteps(context, pull, edits),
      },
      flags,
      context,
    );
  },
});
