import type { BaseContext } from "../../app/context.ts";
import { requireRemote } from "../../app/shared.ts";
import { changed, Failure, unlessFailed } from "../../failure/failure.ts";
import { Interruption } from "../../failure/interruption.ts";
import { branchHeadGet, deleteBranch, wasAt } from "../../forge/branches.ts";
import { compareRefs } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { editPullRequest, type PullRequest, pullGet } from "../../forge/pulls.ts";
import type { MergeStyle } from "../../forge/repos.ts";
import type { Remote } from "../../git/remotes.ts";
import { refuseShallow } from "../../git/temp-worktree.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { ownHead } from "./deleted-head.ts";
import { attemptMerge } from "./merge-attempt.ts";
import { headBranch, type PullContext, pullName } from "./pull.ts";
import { childrenOf, mergedBelow, openPulls, pathTo, stackedBranch } from "./stack-chain.ts";
import { restack } from "./stack-rebase.ts";

type StackContext = PullContext & Pick<BaseContext, "git" | "options" | "prompt" | "profiles">;

interface StackMerge {
  readonly style: MergeStyle;
  readonly deleteBranch: boolean | undefined;
  readonly force: boolean;
}

/** The styles after which the base has other commits than the branch. */
const rewriting: readonly MergeStyle[] = ["rebase", "rebase-merge", "squash"];

/**
 * Merges the pull requests of a stack from the bottom up to one. After each, those based on it are rebased if their commits
 * were rewritten, get its base, and its branch is deleted if wanted, unless it has more than was merged. What a run that was
 * interrupted has left is done first.
 * Throws the failure of the first that cannot be merged, as `partly_done` if others were.
 */
export async function mergeStack(context: StackContext, top: PullRequest, how: StackMerge): Promise<void> {
  const { http, out, prompt, repo, server } = context;
  const open = await openPulls(context);
  // An interrupted run may have merged all, and left what comes after the last one.
  const path = top.merged ? [] : pathTo(top, open);
  const found = top.merged ? undefined : await mergedBelow(path[0] ?? top, context);
  const below = top.merged ? top : found?.below;
  const left = below && { ...below, head: { ...below.head, sha: await ownHead(below, context) } };
  const base = found?.base ?? (path[0] ?? top).base.ref;
  const names = path.map(({ number }) => `#${number}`).join(", ");
  const all = [...(left === undefined ? [] : [left]), ...path];
  const moves = all.flatMap((one) => childrenOf(one, open));
  const rewrites = (rewriting.includes(how.style) || found?.isRewritten === true) && moves.length > 0;
  const remote = rewrites
    ? await requireRemote(context, "Rebasing a stack needs a clone: no git remote here is")
    : undefined;
  // Git would take what is lacking for no history, and rebase more than the branch.
  if (rewrites) await refuseShallow(context.git, ": branches cannot be rebased in it");
  const beside = moves
    .filter(({ number }) => !path.some((one) => one.number === number))
    .map((one) => `#${one.number}`);
  const isSpent = how.deleteBranch && left !== undefined && (await hasOnlyMerged(left, base, context));
  const deleted = how.deleteBranch ? (isSpent ? all : path).flatMap((one) => stackedBranch(one) ?? []) : [];
  const then = [
    rewrites ? ", and replace the commits of the branches above each by rebased ones" : "",
    beside.length > 0 ? `, and base ${beside.join(", ")} on ${base}` : "",
    deleted.length > 0 ? `, and delete ${deleted.length === 1 ? "branch" : "branches"} ${deleted.join(", ")}` : "",
  ].join("");
  const merge = top.merged ? `Finish the merge of #${top.number}` : `Merge ${names}`;
  const what = `${merge} of ${fullName(repo)} into ${base} (${how.style})${then}`;
  await prompt.confirmAction({ what, sends: undefined });

  const heads = new Map(path.map(({ number, head }) => [number, head.sha]));
  const branches = new Set<string>();
  let count = 0;
  const keepBranch = (pull: PullRequest) => {
    const branch = headBranch(pull);
    if (how.deleteBranch && branch !== undefined) branches.add(branch);
  };
  const move = async (merged: PullRequest) => {
    keepBranch(merged);
    const moved = await moveChildren({ merged, base, needed: heads, remote }, context);
    for (const [number, sha] of moved) heads.set(number, sha);
    if (how.deleteBranch && (await deleteHead(merged, base, context))) branches.delete(headBranch(merged) ?? "");
  };
  if (top.merged) out.note(`${pullName(context, top.number)} is already merged`);
  const records = top.merged ? [top] : [];
  try {
    if (left !== undefined) await move(left);
    for (const pull of path) {
      const { number } = pull;
      const body = { Do: how.style, force_merge: how.force || undefined, delete_branch_after_merge: false };
      const request = { number, body: { ...body, head_commit_id: heads.get(number) } };
      await attemptMerge(context, request).catch((error: unknown) => {
        // It was merged by another, or whether it was is not known.
        const mayBeMerged = mayHaveActed(error) || (error instanceof Failure && error.code === "already_merged");
        if (mayBeMerged) keepBranch(pull);
        throw error;
      });
      count += 1;
      keepBranch(pull);
      out.say(`Merged ${pullName(context, number)} into ${base} (${how.style}) ${accountLabel(server)}`);
      const merged = await call(http, pullGet, { repo, index: number });
      records.push(merged);
      // The head before the merge: a server can rewrite the branch, too.
      await move({ ...merged, head: { ...merged.head, sha: heads.get(number) ?? merged.head.sha } });
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const done = top.merged ? "" : `Merged ${count} of ${path.length}. `;
    out.note(`${done}When it can go on, run the same command again.`);
    if (branches.size > 0) out.note(`Not deleted yet: ${[...branches].join(", ")}`);
    throw count === 0 || error instanceof Interruption ? error : changed(error, { code: "partly_done" });
  } finally {
    if (out.records) await out.items(records);
  }
}

interface Move {
  readonly merged: PullRequest;
  readonly base: string;
  readonly needed: ReadonlyMap<number, string>;
  /** Where to push what is rebased; undefined if nothing is rewritten. */
  readonly remote: Remote | undefined;
}

/** Rebases the pull requests that are based on a merged one, and gives them its base. Returns the new heads by number. */
async function moveChildren(
  { merged, base, needed, remote }: Move,
  context: StackContext,
): Promise<ReadonlyMap<number, string>> {
  const { http, out, repo } = context;
  const open = await openPulls(context);
  const children = childrenOf(merged, open);
  const heads =
    remote === undefined ? undefined : await restack({ merged, base, children, open, needed, remote }, context);
  for (const { number } of children) {
    await editPullRequest(http, repo, number, { base });
    out.note(`${pullName(context, number)} is based on ${base} now`);
  }
  return heads ?? new Map();
}

/** Whether the branch of a merged pull request has no commits that are neither in it nor in the branch that it was merged into. */
async function hasOnlyMerged(merged: PullRequest, base: string, { http, repo }: StackContext): Promise<boolean> {
  const branch = headBranch(merged);
  if (branch === undefined) return false;
  const { commit } = await call(http, branchHeadGet, { repo, branch });
  if (commit?.id === merged.head.sha) return true;
  return (await unlessFailed(compareRefs(http, repo, base, branch, { files: false })))?.total_commits === 0;
}

/**
 * Deletes the head branch of a merged pull request, unless it has more than was merged, or others are still based on it. Returns
 * whether that leaves nothing to do.
 */
async function deleteHead(merged: PullRequest, base: string, context: StackContext): Promise<boolean> {
  const { http, out, repo, server } = context;
  const branch = stackedBranch(merged);
  if (branch === undefined || childrenOf(merged, await openPulls(context)).length > 0) return false;
  try {
    if (!(await hasOnlyMerged(merged, base, context))) {
      out.note(`Branch ${branch} is kept: it has commits that are not in ${base}`);
      return true;
    }
    const commit = await deleteBranch(http, repo, branch);
    out.say(`Deleted branch ${branch}${wasAt(commit)} from ${fullName(repo)} ${accountLabel(server)}`);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    out.warn(`Could not delete the head branch ${branch}: ${error.message}`);
    return false;
  }
}
