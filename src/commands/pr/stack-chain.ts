import type { RepositoryContext } from "../../app/context.ts";
import { UsageError, unlessFailed } from "../../failure/failure.ts";
import { branchGet } from "../../forge/branches.ts";
import { compareRefs } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call, find } from "../../forge/operation.ts";
import { isFromFork, type PullRequest, pullList } from "../../forge/pulls.ts";
import type { Git } from "../../git/git.ts";
import { remoteWithBranch } from "../../git/refs.ts";
import { commandIn } from "../../profiles/server.ts";
import { quoted } from "../../text/words.ts";
import { headBranch, isAgit, type PullContext } from "./pull.ts";
import { type Reason, reason } from "./why-shape.ts";

/** The open pull requests of a repository. */
export function openPulls({ http, repo }: RepositoryContext): Promise<PullRequest[]> {
  return collect(call(http, pullList, { repo, state: "open" }));
}

/** The branch that others are stacked on: in the repository itself, and not the default branch. */
export function stackedBranch(pull: PullRequest): string | undefined {
  const branch = headBranch(pull);
  return branch === pull.base.repo?.default_branch ? undefined : branch;
}

/** The pull requests from the bottom of a stack up to one: those whose head branch it is based on, and itself. */
export function pathTo(pull: PullRequest, open: readonly PullRequest[]): PullRequest[] {
  const path: PullRequest[] = [];
  for (let next: PullRequest | undefined = pull; next !== undefined; ) {
    path.unshift(next);
    const ref: string = next.base.ref;
    const seen = new Set(path.map(({ number }) => number));
    next = open.find((one) => stackedBranch(one) === ref && !seen.has(one.number));
  }
  return path;
}

/** The pull requests that are based on the head branch of one. */
export function childrenOf(pull: PullRequest, open: readonly PullRequest[]): PullRequest[] {
  const branch = stackedBranch(pull);
  return branch === undefined ? [] : open.filter(({ base, number }) => base.ref === branch && number !== pull.number);
}

/**
 * The stack of a pull request, from the bottom: those whose head branch it is based on, itself, and those that are based on
 * them. The bases on the server say it.
 */
export function stackOf(pull: PullRequest, open: readonly PullRequest[]): PullRequest[] {
  const stack = new Map<number, PullRequest>();
  const add = (one: PullRequest) => {
    if (stack.has(one.number)) return;
    stack.set(one.number, one);
    for (const child of childrenOf(one, open)) add(child);
  };
  add(pathTo(pull, open)[0] ?? pull);
  return [...stack.values()];
}

/** How many commits below a branch are looked at. */
const maxDepth = 5000;

/**
 * The open pull request that a branch is stacked on: of those whose head is among its commits, the nearest. Throws a usage
 * error if there is no such branch here.
 */
export async function parentOfBranch(git: Git, branch: string, open: readonly PullRequest[]) {
  const remote = await remoteWithBranch(git, branch);
  const refs = [`refs/heads/${branch}`, ...(remote === undefined ? [] : [`refs/remotes/${remote}/${branch}`])];
  for (const ref of refs) {
    const listed = ["rev-list", "--topo-order", `--max-count=${maxDepth}`, "--end-of-options", ref, "--"];
    const { code, stdout } = await git.attempt(listed);
    if (code !== 0) continue;
    const commits = stdout.split("\n");
    const isAbove = (pull: PullRequest) =>
      stackedBranch(pull) !== undefined && pull.head.ref !== branch && pull.merge_base !== pull.head.sha;
    const distances = open.filter(isAbove).map((pull) => ({ pull, distance: commits.indexOf(pull.head.sha ?? "") }));
    return distances.filter(({ distance }) => distance >= 0).sort((a, b) => a.distance - b.distance)[0]?.pull;
  }
  throw new UsageError(`Branch ${branch} is not in this clone: --stack finds its parent by its commits`);
}

/** How many closed pull requests are looked at. */
const maxClosed = 200;

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
  const closed = await collect(call(http, pullList, { repo, state: "closed", sort: "recentupdate" }), maxClosed);
  const path: PullRequest[] = [];
  for (let top = pull; ; top = path.at(-1) ?? pull) {
    const next = closed.find((one) => isBelow(one, top) && !path.includes(one));
    if (next === undefined || (await find(http, branchGet, { repo, branch: top.base.ref }))?.protected) break;
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
  const first = rebases ? `Rebase and merge it: ${commandIn(context, `tongs pr merge ${number} --stack`)}\n` : "";
  return reason(
    "base_merged",
    `Its base ${pull.base.ref} is the branch of #${below.number}, which was merged into ${below.base.ref}`,
    `${first}Retarget it: ${commandIn(context, `tongs pr edit ${number} --base ${quoted(base)}`)}\nIf ${pull.base.ref} goes on, merge it there: ${commandIn(context, `tongs pr merge ${number} --force`)}`,
  );
}
