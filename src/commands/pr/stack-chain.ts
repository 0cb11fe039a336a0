import type { RepositoryContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullList } from "../../forge/pulls.ts";
import type { Git } from "../../git/git.ts";
import { remoteWithBranch } from "../../git/refs.ts";
import { headBranch, headName, refusedError } from "./pull.ts";

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

/** The pull requests of a path whose bases go round in a circle, as words; undefined if they do not. */
export function circleIn(path: readonly PullRequest[]): string | undefined {
  const [bottom] = path;
  const at = path.findIndex((one) => stackedBranch(one) === bottom?.base.ref);
  if (at < 0) return undefined;
  const names = path.slice(0, at + 1).map((one) => `#${one.number} (${headName(one)} into ${one.base.ref})`);
  return `The stack goes round in a circle: ${names.join(", ")}`;
}

/** Throws a `circular` failure for a path whose bases go round in a circle: there is no branch to merge it into. */
export function refuseCircle(path: readonly PullRequest[]): void {
  const circle = circleIn(path);
  if (circle === undefined) return;
  throw refusedError("circular", circle, {
    hint: `Change the base of one: tongs pr edit ${path[0]?.number} --base BRANCH`,
  });
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

/** What a branch is stacked on. */
interface Below {
  readonly parent: PullRequest | undefined;
  /** A nearer one that nothing can be based on: its branch is in a fork, or it has none. */
  readonly elsewhere: PullRequest | undefined;
}

/**
 * The open pull request that a branch is stacked on: of those whose head is among its commits, the nearest. Throws a usage
 * error if there is no such branch here.
 */
export async function parentOfBranch(git: Git, branch: string, open: readonly PullRequest[]): Promise<Below> {
  const remote = await remoteWithBranch(git, branch);
  const refs = [`refs/heads/${branch}`, ...(remote === undefined ? [] : [`refs/remotes/${remote}/${branch}`])];
  for (const ref of refs) {
    const listed = ["rev-list", "--topo-order", `--max-count=${maxDepth}`, "--end-of-options", ref, "--"];
    const { code, stdout } = await git.attempt(listed);
    if (code !== 0) continue;
    const commits = stdout.split("\n");
    const below = open
      .filter((pull) => pull.head.ref !== branch && pull.merge_base !== pull.head.sha)
      .map((pull) => ({ pull, distance: commits.indexOf(pull.head.sha ?? "") }))
      .filter(({ distance }) => distance >= 0)
      .sort((a, b) => a.distance - b.distance);
    const parent = below.find(({ pull }) => stackedBranch(pull) !== undefined);
    const elsewhere = below.find(({ pull }) => headBranch(pull) === undefined);
    const isNearer = elsewhere !== undefined && elsewhere.distance < (parent?.distance ?? Number.POSITIVE_INFINITY);
    return { parent: parent?.pull, elsewhere: isNearer ? elsewhere.pull : undefined };
  }
  throw new UsageError(`Branch ${branch} is not in this clone: --stack finds its parent by its commits`);
}
