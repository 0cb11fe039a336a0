import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { editors, explainDenied } from "../../app/denied.ts";
import { type IssueTarget, targetName } from "../../app/issue-selector.ts";
import type { Made } from "../../app/plan.ts";
import { changeTargets } from "../../app/targets.ts";
import { text } from "../../command/flags.ts";
import type { CommandSpec } from "../../command/spec.ts";
import { Failure } from "../../failure/failure.ts";
import { wasSo } from "../../failure/ignored.ts";
import { createComment } from "../../forge/comments.ts";
import { editIssue, issue } from "../../forge/issues.ts";
import { RefusedError } from "../../http/errors.ts";
import { list } from "../../shape/shape.ts";
import { capitalized } from "../../text/format.ts";
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
      const work = (one: IssueTarget) => setState(one, words, comment, context);
      const targets = issueTargets(filters, from, context);
      return changeTargets({ ...targets, verb, plan, changes: { comment }, work }, context);
    },
  });
}

/** Sets the state of an issue, then adds the comment. */
async function setState(
  one: IssueTarget,
  { past, state }: Words,
  comment: string | undefined,
  { http, out }: BaseContext & ServerContext,
): Promise<Made<object>> {
  const name = targetName(one);
  const record = await editIssue(http, one.repo, one.number, { state }).catch((error: unknown) => {
    throw explainState(error, name);
  });
  const isSo = wasSo();
  const noun = record.pull_request ? "pull request" : "issue";
  if (comment !== undefined && comment !== "") {
    await createComment(http, one.repo, one.number, comment).catch((error: unknown) => {
      out.warn(`${capitalized(past)} ${name}, but the comment was not added`);
      throw error;
    });
  }
  if (isSo) return { message: `${capitalized(noun)} ${name} is already ${state}`, record, unchanged: true };
  return { message: `${capitalized(past)} ${noun} ${name}`, record };
}

/** Explains a refused change of the state. */
function explainState(error: unknown, name: string): unknown {
  if (!(error instanceof RefusedError) || error.status !== 412)
    return explainDenied(error, `Cannot edit ${name}`, editors);
  if (/already merged/.test(error.serverMessage)) {
    return new Failure("already_merged", `Pull request ${name} is already merged`, { cause: error });
  }
  if (/open dependencies/.test(error.serverMessage)) {
    return new Failure("blocked", `Cannot close ${name}: it has open dependencies`, {
      hint: `List them: tongs issue dependency list ${name}`,
      cause: error,
    });
  }
  return error;
}
