import { attachDetails, attachFlags, withUploads } from "../../app/attach/attach.ts";
import { defineCommand } from "../../app/define.ts";
import { editExclusive, listFlags, planningFlags, textFlags } from "../../app/edit-flags.ts";
import { checkNames, editItems } from "../../app/issues/edit.ts";
import { issue, issueGet } from "../../forge/issues.ts";
import { call } from "../../forge/operation.ts";
import { list } from "../../shape/shape.ts";
import { editedStateFlag, fromMilestoneFlag, issueFilterFlags } from "./filters.ts";
import { filtersDetails, issuesArg, issueTargets, planFlag } from "./many.ts";

const selecting = {
  state: editedStateFlag,
  fromMilestone: fromMilestoneFlag,
  ...issueFilterFlags,
  plan: planFlag,
};

/** `tongs issue edit`: GET each issue, then only the requests for what differs. Labels are added and removed one by one. */
export const edit = defineCommand({
  summary: "Edit issues",
  details: `Changes only the given fields. Without flags, tongs prompts on a terminal. ${filtersDetails} ${attachDetails}`,
  on: "server",
  effect: "write",
  args: { issue: issuesArg(selecting) },
  flags: { ...textFlags, ...listFlags, ...planningFlags, ...selecting, ...attachFlags },
  exclusive: editExclusive,
  output: list(withUploads(issue)),
  exits: { partly: "some issues were edited, some failed" },
  examples: [
    ["Change the title and add a label", 'tongs issue edit 12 --title "Add the buoys" --add-label docs'],
    ["Attach a file", "tongs issue edit 12 --attach log.txt"],
    ["Give several issues a milestone", 'tongs issue edit 3 4 9 --milestone "Spring"'],
    ["List the issues that filters select", "tongs issue edit --label bug --author mara --plan"],
    ["Move all issues to another milestone", 'tongs issue edit --from-milestone "Spring" --milestone "Summer" --yes'],
  ],
  async run(context) {
    const { state, fromMilestone, label, author, assignee, mentions, search, since, plan, ...flags } = context.flags;
    const filters = { state, milestone: fromMilestone, label, author, assignee, mentions, search, since };
    return editItems(
      {
        noun: "issue",
        targets: issueTargets(filters, "open", context, (repo) => checkNames(flags, repo, context)),
        plan,
        changes: flags,
        read: ({ repo, number }) => call(context.http, issueGet, { repo, index: number }),
        async *ask(shown, { repo }) {
          const { planningFields, promptForEdit, textFields } = await import("../../app/issues/prompts.ts");
          yield* promptForEdit([...textFields, ...planningFields], shown, { ...context, repo });
        },
      },
      flags,
      context,
    );
  },
});
