import { branchGet } from "../../forge/branches.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullList } from "../../forge/pulls.ts";
import { ifFound } from "../../http/errors.ts";
import { joinWords } from "../../text/words.ts";
import { headBranch, type PullContext } from "./pull.ts";
import { maxClosed } from "./stack-left.ts";

/**
 * Says that the base branch is the head of a pull request that was merged, and has not changed since: what is merged into it
 * reaches nothing. Undefined for a branch that is kept: the default branch, a protected one, and one that pull requests were
 * merged into before, such as one for releases.
 */
export async function mergedBase(
  { base, number }: PullRequest,
  { http, repo }: PullContext,
): Promise<{ readonly message: string; readonly clear: string } | undefined> {
  if ([undefined, base.ref].includes(base.repo?.default_branch)) return undefined;
  const listing = call(http, pullList, { repo, state: "closed", sort: "recentupdate" });
  const closed = await collect({ take: () => listing.take(maxClosed) });
  const below = closed.find((one) => one.merged && headBranch(one) === base.ref);
  if (below === undefined || below.head.sha !== base.sha) return undefined;
  const at = Date.parse(below.merged_at ?? "");
  const isKept = closed.some((one) => one.base.ref === base.ref && Date.parse(one.merged_at ?? "") < at);
  if (isKept || (await ifFound(call(http, branchGet, { repo, branch: base.ref })))?.protected) return undefined;
  return {
    message: `its base ${base.ref} is the branch of #${below.number}, which was merged into ${below.base.ref}`,
    clear: `Retarget it: ${joinWords(["tongs", "pr", "edit", String(number), "--base", below.base.ref])}`,
  };
}
