import { unlessFailed } from "../../failure/failure.ts";
import { branchGet } from "../../forge/branches.ts";
import { compareRefs } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullList } from "../../forge/pulls.ts";
import { ifFound } from "../../http/errors.ts";
import { quoted } from "../../text/words.ts";
import { headBranch, isAgit, isFromFork, type PullContext } from "./pull.ts";
import { maxClosed } from "./stack-left.ts";
import { type Reason, reason } from "./why-shape.ts";

/**
 * The merged pull request whose branch is the base of one that was opened before that merge, and the branch that its commits
 * have reached since, from base to base by the same rule. `isRewritten`: that lacks commits of the branch (squash, rebase).
 * One that was opened later is based on a branch that is kept, as for releases; so are the default branch, protected ones, and
 * those that others were merged into before, if they were opened before that of the branch: those of a stack are opened after it.
 */
export async function mergedBelow(
  pull: PullRequest,
  { http, repo }: PullContext,
): Promise<{ readonly below: PullRequest; readonly base: string; readonly isRewritten: boolean } | undefined> {
  const { ref, repo: of } = pull.base;
  if ([undefined, ref].includes(of?.default_branch)) return undefined;
  const listing = call(http, pullList, { repo, state: "closed", sort: "recentupdate" });
  const closed = await collect({ take: () => listing.take(maxClosed) });
  const path: PullRequest[] = [];
  for (let top = pull; ; top = path.at(-1) ?? pull) {
    const next = closed.find((one) => isBelow(one, top) && !path.includes(one));
    if (next === undefined || (await ifFound(call(http, branchGet, { repo, branch: top.base.ref })))?.protected) break;
    path.push(next);
  }
  const [below, last = below] = [path[0], path.at(-1)];
  if (below === undefined || last === undefined) return undefined;
  const isBefore = ({ merged_at, number }: PullRequest) =>
    number < below.number && Date.parse(merged_at ?? "") < Date.parse(below.merged_at ?? "");
  if (closed.some((one) => one.merged && one.base.ref === ref && isBefore(one))) return undefined;
  const ahead = await unlessFailed(compareRefs(http, repo, last.base.ref, ref, { files: false }));
  return { below, base: last.base.ref, isRewritten: (ahead?.total_commits ?? 0) > 0 };
}

/** Whether a merged pull request has the base of another as its branch, deleted or not, and was merged after that was opened. */
function isBelow(one: PullRequest, { base, created_at }: PullRequest): boolean {
  if (!one.merged || isFromFork(one) || isAgit(one) || one.head.label !== base.ref) return false;
  return base.ref !== base.repo?.default_branch && Date.parse(created_at ?? "") <= Date.parse(one.merged_at ?? "");
}

/** Says that a pull request would be merged into the branch of a merged one, which reaches nothing; undefined if it would not. */
export async function mergedBase(pull: PullRequest, context: PullContext): Promise<Reason | undefined> {
  const found = await mergedBelow(pull, context);
  if (found === undefined) return undefined;
  const { below, base, isRewritten } = found;
  const { number } = pull;
  const rebases = isRewritten && headBranch(pull) !== undefined;
  const first = rebases ? `Rebase and merge it: tongs pr merge ${number} --stack\n` : "";
  return reason(
    "base_merged",
    `Its base ${pull.base.ref} is the branch of #${below.number}, which was merged into ${below.base.ref}`,
    `${first}Retarget it: tongs pr edit ${number} --base ${quoted(base)}\nIf ${pull.base.ref} goes on, merge it there: tongs pr merge ${number} --force`,
  );
}
