import pMap from "p-map";
import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { editors, explainDenied } from "../../app/denied.ts";
import { foreseeLater } from "../../app/dry-run.ts";
import { changeTargets } from "../../app/targets.ts";
import { text, toggle } from "../../command/flags.ts";
import { unlessFailed } from "../../failure/failure.ts";
import { wasSo } from "../../failure/ignored.ts";
import { deletionEffect, joinBranchPulls } from "../../forge/branch-pulls.ts";
import { branchDelete, deleteBranch } from "../../forge/branches.ts";
import { createComment } from "../../forge/comments.ts";
import { editPullRequest, type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { DeniedError, RefusedError } from "../../http/errors.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { quoted } from "../../text/words.ts";
import { type FindContext, findPull, type PullSelector, pullSelectors } from "./find.ts";
import { deletedHead, ownHead, readHeadUses, reasonKept } from "./head-uses.ts";
import { filtersDetails, manyFilterFlags, planFlag, pullTargets } from "./many.ts";
import { headMissing, isAgit, isHeadDeleted, type PullContext, pullName, refusedError } from "./pull.ts";

const comment = text("add a comment", { short: "c", placeholder: "TEXT" });
const exits = { refused: "it is merged, or has open dependencies" };

interface Chosen {
  readonly selector: PullSelector;
}

type StateContext = PullContext & FindContext & Pick<BaseContext, "options">;

/**
 * Sets the state, then adds the comment, and returns what was done in words. One that was found by its branch, and so was
 * read, can be in that state already.
 */
async function setState(
  context: StateContext,
  selector: PullSelector,
  state: "closed" | "open",
  { done, comment: text }: { readonly done: string; readonly comment: string | undefined },
): Promise<{ readonly pull: PullRequest; readonly message: string; readonly unchanged: boolean }> {
  const { http, repo, out } = context;
  const found = selector.by === "number" && !context.options.dryRun ? selector : await findPull(selector, context);
  const { number } = found;
  const name = pullName(context, number);
  if (context.options.dryRun && "merged" in found && found.merged) throw mergedError(name);
  const already = "state" in found && found.state === state && !found.merged ? found : undefined;
  const edit = () =>
    editPullRequest(http, repo, number, { state }).catch((error: unknown) => {
      throw explainStateError(error, name);
    });
  const pull = already ?? (await edit());
  const isSo = already !== undefined || wasSo();
  const [short, message] = !isSo
    ? [`${done} ${name}`, `${done} pull request ${name}`]
    : [`${name} is already ${state}`, `Pull request ${name} is already ${state}`];
  if (text !== undefined && text !== "") {
    await createComment(http, repo, number, text).catch((error: unknown) => {
      out.warn(`${short}, but the comment was not added`);
      throw error;
    });
  }
  return { pull, message, unchanged: isSo };
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
    let effects: ReadonlyMap<PullSelector, string> | undefined;
    const prepare = async (targets: readonly Chosen[]) => {
      if (deleteBranch) effects = await confirmDeletion(targets, context);
    };
    const work = async ({ selector }: Chosen) => {
      const { pull, ...made } = await setState(context, selector, "closed", { done: "Closed", comment });
      const deleted = deleteBranch ? await deleteHead(context, pull) : undefined;
      if (deleted === undefined) return { ...made, record: pull };
      const also = deletedHead(pull.head.ref, deleted.commit, effects?.get(selector));
      return { message: `${made.message}${also}`, record: pull };
    };
    const targets = pullTargets({ state: "open", filters }, context);
    return changeTargets(
      { ...targets, verb: "Close", plan, changes: { comment, deleteBranch }, prepare, work },
      context,
    );
  },
});

/**
 * What the deletion of the head branches does to other pull requests, each in words. It is asked for on a terminal, and
 * otherwise said before anything is closed.
 */
async function confirmDeletion(
  targets: readonly Chosen[],
  context: StateContext & Pick<BaseContext, "prompt">,
): Promise<ReadonlyMap<PullSelector, string>> {
  const { options, out, prompt } = context;
  // One that is not found fails when it is closed.
  const read = async ({ selector }: Chosen) => {
    const pull = await unlessFailed(findPull(selector, context));
    return pull === undefined ? [] : [{ selector, pull }];
  };
  const found = (await pMap(targets, read, { concurrency: 8 })).flat();
  const pulls = found.map(({ pull }) => pull);
  const usesOf = await readHeadUses(pulls, context);
  const own = pulls.map(({ number }) => pullName(context, number));
  const foresee = async ({ selector, pull }: (typeof found)[number]) => {
    const uses = joinBranchPulls([usesOf(pull)], own);
    const asks = options.dryRun || deletionEffect(uses) !== undefined;
    const why = asks && !isAgit(pull) && !isHeadDeleted(pull) ? await reasonKept(pull, undefined, context) : undefined;
    if (why !== undefined) out.warn(`The branch ${pull.head.ref} will not be deleted: ${why}`);
    return why === undefined ? [{ selector, pull, uses }] : [];
  };
  const all = (await pMap(found, foresee, { concurrency: 8 })).flat();
  for (const { head } of all.map(({ pull }) => pull).filter((pull) => !isAgit(pull) && !isHeadDeleted(pull)))
    foreseeLater(context, `The deletion of branch ${head.ref}`, branchDelete, { commit: { id: head.sha } });
  const effect = deletionEffect(joinBranchPulls(all.map(({ uses }) => uses)));
  if (effect !== undefined) {
    const branches = all.filter(({ uses }) => deletionEffect(uses) !== undefined).map(({ pull }) => pull.head.ref);
    const what = `Delete branch ${[...new Set(branches)].join(", ")}, which ${effect}`;
    if (prompt.able && !options.yes && !options.dryRun) await prompt.confirmAction({ what, sends: branchDelete });
    else out.warn(`Deleting branch ${[...new Set(branches)].join(", ")} ${effect}`);
  }
  return new Map(
    all.flatMap(({ selector, uses }) => {
      const one = deletionEffect(uses);
      return one === undefined ? [] : [[selector, one] as const];
    }),
  );
}

/**
 * Deletes the head branch in its repository, unless it was already deleted, or has other commits now. Returns the commit that it
 * was at.
 */
async function deleteHead(
  context: PullContext,
  pull: PullRequest,
): Promise<{ readonly commit: string | undefined } | undefined> {
  const { head } = pull;
  if (isAgit(pull) || isHeadDeleted(pull) || head.repo == null) {
    context.out.note(isAgit(pull) ? "It has no branch to delete." : "The head branch was already deleted.");
    return undefined;
  }
  try {
    await requireOwnHead(context, pull);
    return { commit: await deleteBranch(context.http, parseRepo(head.repo.full_name), head.ref) };
  } catch (error) {
    context.out.warn(`Closed ${pullName(context, pull.number)}, but the branch ${head.ref} was not deleted`);
    throw error;
  }
}

/** Throws if the branch is no longer the head of the pull request. */
async function requireOwnHead(context: PullContext, pull: PullRequest): Promise<void> {
  const { head } = pull;
  if ((await ownHead(pull, context)) === head.sha) return;
  const message = `Branch ${head.ref} has commits that are not in ${pullName(context, pull.number)}`;
  const hint = `Delete it anyway: tongs branch delete ${quoted(head.ref)} -R ${head.repo?.full_name}`;
  throw refusedError("head_changed", message, { hint });
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
      const { pull, ...made } = await setState(context, selector, "open", { done: "Reopened", comment });
      const missing = headMissing(pull);
      if (missing !== undefined) out.warn(`${pullName(context, pull.number)} cannot be merged: ${missing.message}`);
      return { ...made, record: pull };
    };
    return changeTargets({ ...targets, verb: "Reopen", plan, changes: { comment }, work }, context);
  },
});

function mergedError(name: string, cause?: unknown) {
  return refusedError("already_merged", `Pull request ${name} is already merged`, { cause });
}

function explainStateError(error: unknown, name: string): unknown {
  if (error instanceof DeniedError) return explainDenied(error, `Cannot edit ${name}`, editors);
  if (!(error instanceof RefusedError) || error.status !== 412) return error;
  if (/already merged/.test(error.serverMessage)) return mergedError(name, error);
  if (/open dependencies/.test(error.serverMessage)) {
    return refusedError("blocked", `Cannot close ${name}: it has open dependencies`, { cause: error });
  }
  return error;
}
