import { type BranchPulls, readBranchPulls } from "../../forge/branch-pulls.ts";
import type { PullRequest } from "../../forge/pulls.ts";
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

function hasNoHead(pull: PullRequest): boolean {
  return isAgit(pull) || isHeadDeleted(pull);
}
