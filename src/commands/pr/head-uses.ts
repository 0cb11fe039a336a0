import type { BaseContext } from "../../app/context.ts";
import { Failure, unlessFailed } from "../../failure/failure.ts";
import { type BranchPulls, deletionEffect, readBranchPulls } from "../../forge/branch-pulls.ts";
import { branchGet, wasAt } from "../../forge/branches.ts";
import { commitGet } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { repoGet } from "../../forge/repos.ts";
import { ifFound } from "../../http/errors.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";
import { isAgit, isFromFork, isHeadDeleted, type PullContext, pullName } from "./pull.ts";

const none: BranchPulls = { heads: [], bases: [] };

/** The open pull requests that have the head branch of one of these as their head or base; itself is not among them. */
export async function readHeadUses(
  pulls: readonly PullRequest[],
  context: PullContext,
): Promise<(pull: PullRequest) => BranchPulls> {
  const { http, out, repo } = context;
  const repos = pulls.flatMap(({ head }) => (head?.repo == null ? [] : [parseRepo(head.repo.full_name)]));
  const usesOf = pulls.every(hasNoHead) ? () => none : await readBranchPulls(http, [repo, ...repos], out.warn);
  return (pull) => {
    const { head } = pull;
    if (hasNoHead(pull) || head.repo == null) return none;
    const { heads, bases } = usesOf(parseRepo(head.repo.full_name), head.ref);
    const own = pullName(context, pull.number).toLowerCase();
    return { heads: heads.filter((name) => name.toLowerCase() !== own), bases };
  };
}

/** `; deleted its branch tides (was 140d5cf2a1)`, with what that does to other pull requests. */
export function deletedHead(name: string, commit: string | undefined, effect: string | undefined): string {
  return `; deleted its branch ${name}${wasAt(commit)}${effect === undefined ? "" : `, which ${effect}`}`;
}

/**
 * The commit that a pull request has, or had when it was merged or closed: its record has that of the branch, which can have been
 * pushed to since, or deleted and created anew.
 */
export async function ownHead({ number, head }: PullRequest, { http, repo }: PullContext): Promise<string> {
  const plain = { stat: false, files: false, verification: false };
  const own = await ifFound(call(http, commitGet, { repo, sha: `refs/pull/${number}/head`, ...plain }));
  return own?.sha ?? head.sha;
}

function hasNoHead(pull: PullRequest): boolean {
  return isAgit(pull) || isHeadDeleted(pull);
}

/** Why the server keeps the head branch; undefined if that is not known. Gitea does not say it. */
export async function reasonKept(
  { head }: PullRequest,
  uses: BranchPulls | undefined,
  { http }: PullContext,
): Promise<string | undefined> {
  if (head.repo == null) return undefined;
  const { full_name, default_branch } = head.repo;
  if (default_branch === head.ref) return `it is the default branch of ${full_name}`;
  if (uses !== undefined && uses.heads.length > 0) return `${uses.heads.join(", ")} has it as its head, too`;
  const repo = parseRepo(full_name);
  const [branch, place] = await Promise.all([
    unlessFailed(call(http, branchGet, { repo, branch: head.ref })),
    unlessFailed(call(http, repoGet, { repo })),
  ]);
  if (branch?.protected === true) return "it is protected";
  // A branch that maintainers of the base may push to is not theirs to delete.
  const mayPush = branch?.user_can_push !== false && place?.permissions?.push !== false;
  return mayPush ? undefined : `you may not push to ${full_name}`;
}

/**
 * Says before a merge what the deletion of the head branch does to other pull requests, or that the server will keep it: under
 * --dry-run for any reason that is known, otherwise if other pull requests have the branch.
 */
export async function foreseeDeletion(
  pull: PullRequest,
  context: PullContext & Pick<BaseContext, "options">,
): Promise<BranchPulls> {
  const { options, out } = context;
  const uses = (await readHeadUses([pull], context))(pull);
  if (pull.merged || isHeadDeleted(pull) || isAgit(pull)) return uses;
  const asks = options.dryRun || uses.heads.length > 0 || uses.bases.length > 0;
  const why = asks ? await reasonKept(pull, uses, context) : undefined;
  const effect = deletionEffect({ heads: [], bases: uses.bases }, "retargets");
  if (why !== undefined) out.warn(`The branch ${pull.head.ref} will not be deleted: ${why}`);
  else if (effect !== undefined) out.warn(`Deleting branch ${pull.head.ref} ${effect}`);
  return uses;
}

/** That the branch was deleted, with what that does to other pull requests; nothing if there was none before. */
export function deletedText(
  before: PullRequest | undefined,
  { head }: PullRequest,
  uses: BranchPulls | undefined,
): string {
  if (before === undefined || isHeadDeleted(before) || isAgit(before)) return "";
  return deletedHead(before.head.ref, head.sha, uses && deletionEffect({ heads: [], bases: uses.bases }, "retargets"));
}

/** The failure for a head branch that the server kept, though the merge was to delete it. */
export function keptError(pull: PullRequest, name: string, why: string): Failure {
  const { head } = pull;
  const of = isFromFork(pull) && head.repo != null ? ` of ${head.repo.full_name}` : "";
  const message = `Merged ${name}, but its branch ${head.ref}${of} was not deleted${why === "" ? "" : `: ${why}`}`;
  const place = head.repo == null ? "" : ` -R ${head.repo.full_name}`;
  return new Failure("ignored", message, {
    hint: `Delete it when that is possible: tongs branch delete ${quoted(head.ref)}${place}`,
    fields: [{ name: "delete_branch_after_merge", requested: true, actual: false }],
  });
}
