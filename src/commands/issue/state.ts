import { defineCommand } from "../../app/define.ts";
import type { IssueTarget } from "../../app/issue-selector.ts";
import { setState } from "../../app/issues/state.ts";
import { changeTargets } from "../../app/targets.ts";
import { text } from "../../command/flags.ts";
import type { CommandSpec } from "../../command/spec.ts";
import { editIssue, issue } from "../../forge/issues.ts";
import { list } from "../../shape/shape.ts";
import { issueFilterFlags, milestoneFlag } from "./filters.ts";
import { filtersDetails, issuesArg, issueTargets, planFlag } from "./many.ts";

/** The words of a change of the state. */
interface Words {
  readonly verb: "Close" | "Reopen";
  readonly past: "closed" | "reopened";
  readonly state: "closed" | "open";
}

/** `tongs issue close`: PATCH the state of each issue, POST the comment. */
export const close = changing({ verb: "Close", past: "closed", state: "closed" }, "issue", [
  ["Close two issues with a comment", 'tongs issue close 3 4 --comment "See #12"'],
  ["List the issues with a label that would be closed", "tongs issue close --label stale --plan"],
  ["Close them", "tongs issue close --label stale --yes"],
]);

/** `tongs issue reopen`. */
export const reopen = changing({ verb: "Reopen", past: "reopened", state: "open" }, "closed issue", [
  ["Reopen two issues with a comment", 'tongs issue reopen 3 4 --comment "See #12"'],
]);

function changing(words: Words, source: "issue" | "closed issue", examples: CommandSpec["examples"]) {
  const { verb, past, state } = words;
  const selecting = { ...issueFilterFlags, milestone: milestoneFlag, plan: planFlag };
  return defineCommand({
    summary: `${verb} issues`,
    details: filtersDetails,
    on: "server",
    effect: "write",
    args: { issue: { ...issuesArg(selecting), source } },
    flags: { ...selecting, comment: text("add a comment", { short: "c", placeholder: "TEXT" }) },
    output: list(issue),
    exits: { refused: "it has open dependencies", partly: `some issues were ${past}, some failed` },
    examples,
    async run(context) {
      const { comment, plan, ...filters } = context.flags;
      const from = state === "closed" ? "open" : "closed";
      const work = (one: IssueTarget) =>
        setState(
          one,
          {
            state,
            comment,
            noun: ({ pull_request }) => (pull_request ? "pull request" : "issue"),
            edit: () => editIssue(context.http, one.repo, one.number, { state }),
          },
          context,
        );
      const targets = issueTargets(filters, from, context);
      return changeTargets({ ...targets, verb, plan, changes: { comment }, work }, context);
    },
  });
}
