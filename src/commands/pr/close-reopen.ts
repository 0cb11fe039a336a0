import pMap from "p-map";
import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { foreseeLater } from "../../app/dry-run.ts";
import { setState } from "../../app/issues/state.ts";
import { changeTargets } from "../../app/targets.ts";
import { text, toggle } from "../../command/flags.ts";
import { changed, Failure, unlessFailed } from "../../failure/failure.ts";
import { Interruption } from "../../failure/interruption.ts";
import { deletionEffect, joinBranchPulls, presentName, readBranchPulls } from "../../forge/branch-pulls.ts";
import { branchDelete, deleteBranch } from "../../forge/branches.ts";
import { editPullRequest, isFromFork, type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { createdAgainAt } from "../../forge/undo.ts";
import { DeniedError } from "../../http/errors.ts";
import { commandOn } from "../../profiles/server.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { joinWords } from "../../text/words.ts";
import { deletedHead, ownHead } from "./deleted-head.ts";
import { type FindContext, findPull, type PullSelector, pullSelectors } from "./find.ts";
import { filtersDetails, manyFilterFlags, planFlag, pullTargets } from "./many.ts";
import { headMissing, isAgit, isHeadDeleted, type PullContext, pullName, requireOpen } from "./pull.ts";

const comment = text("add a comment", { short: "c", placeholder: "TEXT" });
const exits = { refused: "it is merged, or has open dependencies" };

interface Chosen {
  readonly selector: PullSelector;
}

type StateContext = PullContext & FindContext & Pick<BaseContext, "options">;

/** Sets the state, then adds the comment. One that was found by its branch, and so was read, can be in that state already. */
async function change(
  { selector }: Chosen,
  state: "closed" | "open",
  comment: string | undefined,
  context: StateContext,
) {
  const { http, repo, options } = context;
  const found = selector.by === "number" && !options.dryRun ? selector : await findPull(selector, context);
  const { number } = found;
  const read = "state" in found ? found : undefined;
  if (options.dryRun && read?.merged) requireOpen(read, context);
  const already = read?.state === state && !read.merged ? read : undefined;
  const edit = () => editPullRequest(http, repo, number, { state });
  return setState({ repo, number }, { state, comment, noun: () => "pull request", edit, already }, context);
}

/** `tongs pr close`: PATCH the state, POST the comment, DELETE the branch. */
export const close = defineCommand({
  summary: "Close pull requests",
  details: filtersDetails,
  on: "repository",
  effect: "write",
  args: { pr: pullSelectors },
  flags: {
    comment,
    deleteBranch: toggle("also delete the head branch", { short: "d" }),
    ...manyFilterFlags,
    plan: planFlag,
  },
  output: list(pullRequest),
  exits: { ...exits, partly: "some pull requests were closed, some failed" },
  examples: [
    ["Close it with a comment", 'tongs pr close 12 --comment "Superseded by #14"'],
    ["Close two pull requests", "tongs pr close 4 12"],
    ["Close it and delete its branch", "tongs pr close 12 -d"],
    ["List the drafts of a user that would be closed", "tongs pr close --author mara --draft --plan"],
  ],
  async run(context) {
    const { comment, deleteBranch, plan, ...filters } = context.flags;
    const prepare = async (targets: readonly Chosen[]) => deleteBranch && confirmDeletion(targets, context);
    const work = async ({ selector }: Chosen) => {
      const made = await change({ selector }, "closed", comment, context);
      const deleted = deleteBranch ? await deleteHead(context, made.record) : undefined;
      return deleted === undefined ? made : { message: `${made.message}${deleted}`, record: made.record };
    };
    const targets = pullTargets({ state: "open", filters }, context);
    return changeTargets(
      { ...targets, verb: "Close", plan, changes: { comment, deleteBranch }, prepare, work },
      context,
    );
  },
});

/**
 * Says what the deletion of the head branches does to other pull requests, before anything is closed; on a terminal, it is asked
 * for.
 */
async function confirmDeletion(
  targets: readonly Chosen[],
  context: StateContext & Pick<BaseContext, "prompt">,
): Promise<void> {
  const { http, options, out, prompt } = context;
  // One that is not found fails when it is closed.
  const read = async ({ selector }: Chosen) => (await unlessFailed(findPull(selector, context))) ?? [];
  const pulls = (await pMap(targets, read, { concurrency: 8 })).flat();
  const own = pulls.map(presentName);
  const heads = pulls.flatMap((pull) => {
    const { ref, sha, repo } = pull.head;
    return isAgit(pull) || isHeadDeleted(pull) || repo == null
      ? []
      : [{ ref, sha, repo, base: pull.base.repo ?? repo }];
  });
  if (heads.length === 0) return;
  const repos = heads.flatMap(({ base, repo }) => [base, repo]);
  const usesOf = await readBranchPulls(http, repos, out.warn);
  const all = heads.map((head) => ({ head, uses: joinBranchPulls([usesOf(head.repo.full_name, head.ref)], own) }));
  for (const { head } of all) foreseeLater(context, `The deletion of branch ${head.ref}`, createdAgainAt(head.sha));
  const effect = deletionEffect(joinBranchPulls(all.map(({ uses }) => uses)));
  if (effect === undefined) return;
  const branches = [
    ...new Set(all.flatMap(({ head, uses }) => (deletionEffect(uses) === undefined ? [] : head.ref))),
  ].join(", ");
  const what = `Delete branch ${branches}, which ${effect}`;
  if (prompt.able && !options.yes && !options.dryRun) await prompt.confirmAction({ what, sends: branchDelete });
  else out.warn(`Deleting branch ${branches} ${effect}`);
}

/**
 * Deletes the head branch in its repository, unless it was already deleted, or has other commits now. Returns what was done in
 * words.
 */
async function deleteHead(context: PullContext, pull: PullRequest): Promise<string | undefined> {
  const { head } = pull;
  if (isAgit(pull) || isHeadDeleted(pull) || head.repo == null) {
    context.out.note(isAgit(pull) ? "It has no branch to delete." : "The head branch was already deleted.");
    return undefined;
  }
  try {
    await requireOwnHead(context, pull);
    return deletedHead(head.ref, await deleteBranch(context.http, parseRepo(head.repo.full_name), head.ref));
  } catch (error) {
    const name = pullName(context, pull.number);
    context.out.warn(`Closed ${name}, but its branch ${head.ref} of ${head.repo.full_name} was not deleted`);
    // The branch of a fork is not ours.
    if (isFromFork(pull) && error instanceof DeniedError) return undefined;
    if (!(error instanceof Failure) || error instanceof Interruption) throw error;
    throw changed(error, { code: "partly_done" });
  }
}

/** Throws if the branch is no longer the head of the pull request. */
async function requireOwnHead(context: PullContext, pull: PullRequest): Promise<void> {
  const { head } = pull;
  if ((await ownHead(pull, context)) === head.sha) return;
  const message = `Branch ${head.ref} has commits that are not in ${pullName(context, pull.number)}`;
  const line = joinWords(["tongs", "branch", "delete", head.ref, "-R", head.repo?.full_name ?? ""]);
  const hint = `Delete it anyway: ${commandOn(context.server, line)}`;
  throw new Failure("head_changed", message, { hint });
}

/** `tongs pr reopen`: PATCH the state, POST the comment. */
export const reopen = defineCommand({
  summary: "Reopen pull requests",
  details: filtersDetails,
  on: "repository",
  effect: "write",
  args: { pr: pullSelectors },
  flags: { comment, ...manyFilterFlags, plan: planFlag },
  output: list(pullRequest),
  exits: { ...exits, partly: "some pull requests were reopened, some failed" },
  examples: [["Reopen it with a comment", 'tongs pr reopen 12 --comment "Still needed"']],
  async run(context) {
    const { out } = context;
    const { comment, plan, ...filters } = context.flags;
    const suits = ({ merged }: PullRequest) => !merged;
    const targets = pullTargets({ state: "closed", suits, filters }, context);
    const work = async ({ selector }: Chosen) => {
      const made = await change({ selector }, "open", comment, context);
      const missing = headMissing(made.record, context);
      if (missing !== undefined)
        out.warn(`${pullName(context, made.record.number)} cannot be merged: ${missing.message}`);
      return made;
    };
    return changeTargets({ ...targets, verb: "Reopen", plan, changes: { comment }, work }, context);
  },
});
