import { unlessFailed } from "../../failure/failure.ts";
import { type BranchPulls, readBranchPulls } from "../../forge/branch-pulls.ts";
import { branchGet, wasAt } from "../../forge/branches.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { repoGet } from "../../forge/repos.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { isAgit, isHeadDeleted, type PullContext, pullName } from "./pull.ts";

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
