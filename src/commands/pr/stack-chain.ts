import type { RepositoryContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullList } from "../../forge/pulls.ts";
import type { Git } from "../../git/git.ts";
import { remoteWithBranch } from "../../git/refs.ts";
import { headBranch } from "./pull.ts";

/** The open pull requests of a repository. */
export function openPulls({ http, repo }: RepositoryContext): Promise<PullRequest[]> {
  return collect(call(http, pullList, { repo, state: "open" }));
}

/** The branch that others are stacked on: in the repository itself, and not the default branch. */
function stackedBranch(pull: PullRequest): string | undefined {
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
export async function parentOfBranch(
  git: Git,
  branch: string,
  open: readonly PullRequest[],
): Promise<PullRequest | undefined> {
  const remote = await remoteWithBranch(git, branch);
  const refs = [`refs/heads/${branch}`, ...(remote === undefined ? [] : [`refs/remotes/${remote}/${branch}`])];
  for (const ref of refs) {
    const listed = ["rev-list", "--topo-order", `--max-count=${maxDepth}`, "--end-of-options", ref, "--"];
    const { code, stdout } = await git.attempt(listed);
    if (code !== 0) continue;
    const commits = stdout.split("\n");
    const below = open.filter((pull) => {
      const head = stackedBranch(pull);
      return head !== undefined && head !== branch && pull.merge_base !== pull.head.sha;
    });
    const distances = below.map((pull) => ({ pull, distance: commits.indexOf(pull.head.sha ?? "") }));
    return distances.filter(({ distance }) => distance >= 0).sort((a, b) => a.distance - b.distance)[0]?.pull;
  }
  throw new UsageError(`Branch ${branch} is not in this clone: --stack finds its parent by its commits`);
}
