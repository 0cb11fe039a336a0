import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { readNumber } from "../../app/issue-selector.ts";
import { remotesOnServer, repositoryOf } from "../../app/shared.ts";
import type { Arg } from "../../command/args.ts";
import { exactNumber, text } from "../../command/flags.ts";
import { Failure, UsageError, unlessFailed } from "../../failure/failure.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet, pullList } from "../../forge/pulls.ts";
import { parentOf, repoGet } from "../../forge/repos.ts";
import type { Git } from "../../git/git.ts";
import { branchSettings, hasRef, pushesToUpstream, remoteWithBranch } from "../../git/refs.ts";
import { fullName, isSameRepo, isUrl, type RepoName, repositoryOfUrl } from "../../repo/repo-name.ts";
import { joinWords } from "../../text/words.ts";

/** How a pull request is selected. */
export type PullSelector =
  | { readonly by: "number"; readonly number: number }
  | { readonly by: "branch"; readonly branch: string; readonly owner?: string }
  | { readonly by: "current" };

/** A branch, with the owner of its repository if given. */
export interface HeadBranch {
  readonly branch: string;
  readonly owner?: string | undefined;
}

const named = "number, OWNER/REPO#NUMBER, URL, branch or OWNER:BRANCH";

/** An argument that selects a pull request; by default that of the current branch. */
export const pullSelector: Arg<PullSelector> = {
  count: "optional",
  description: `${named} (default: the pull request of the current branch)`,
  read: (typed) => (typed[0] === undefined ? { by: "current" } : parsePull(typed[0])),
  locate: ([typed = ""]) => readNumber(typed)?.place,
  source: "pull",
};

/** The same argument for several, each once. All are of one repository: the one that each names, or else that in force. */
export const pullSelectors: Arg<readonly PullSelector[]> = {
  count: "any",
  description:
    "numbers, OWNER/REPO#NUMBER, URLs, branches or OWNER:BRANCH (default: the pull request of the current branch)",
  read: (typed) => {
    const selectors = typed.map(parsePull);
    const once = new Map(selectors.map((selector) => [selectorName(selector), selector]));
    return typed.length === 0 ? [{ by: "current" }] : [...once.values()];
  },
  locate: (typed) => {
    const places = typed.map((one) => readNumber(one)?.place);
    const other = places.findIndex((place) => place?.toLowerCase() !== places[0]?.toLowerCase());
    if (other > 0) {
      const message = `Pull requests of one repository at a time: ${typed[0]}, ${typed[other]}`;
      throw new UsageError(
        message,
        "Run a command for each repository, and name it for each pull request or for none.",
      );
    }
    return places[0];
  },
  source: "pull",
};

/** A selected pull request in messages about several. */
export function selectorName(selector: PullSelector): string {
  if (selector.by === "number") return `#${selector.number}`;
  if (selector.by === "current") return "the current branch";
  return selector.owner === undefined ? selector.branch : `${selector.owner}:${selector.branch}`;
}

/** The same argument, required. */
export const requiredPull: Arg<PullSelector> = {
  ...pullSelector,
  count: "one",
  description: named,
};

/** The flag that selects the pull request of reviews and comments, which have IDs as arguments. */
export const pullFlag = text("the pull request (default: the current branch's)", { placeholder: "PR", source: "pull" });

/**
 * The number of the pull request that `--pr` selects, for arguments that are the IDs of `of`. Throws a usage error for one
 * in another repository: unlike an argument, a flag does not select the repository.
 */
export async function findFlagNumber(
  typed: string | undefined,
  context: FindContext,
  of: "review" | "comment",
): Promise<number> {
  const place = typed === undefined ? undefined : readNumber(typed)?.place;
  const repo = place === undefined ? context.repo : repositoryOf(place, context);
  if (!isSameRepo(repo, context.repo)) {
    throw new UsageError(`${typed} is not in ${fullName(context.repo)}`, `Select its repository: -R ${fullName(repo)}`);
  }
  const found = findNumber(pullSelector.read(typed === undefined ? [] : [typed], "--pr"), context);
  if (typed !== undefined) return found;
  return found.catch((error: unknown) => {
    if (!(error instanceof Failure) || (error.code !== "not_found" && error.code !== "usage")) throw error;
    const hint = `The number is taken as the ID of a ${of}. Name its pull request with --pr.`;
    throw new Failure(error.code, error.message, { hint, cause: error });
  });
}

/** Reads `12`, `#12`, `OWNER/REPO#12`, a URL, `refs/pull/12/head` as CI has it, `OWNER:BRANCH` or `BRANCH`. */
function parsePull(typed: string): PullSelector {
  const number = readNumber(typed)?.id ?? pullOfRef(typed);
  if (number !== undefined) return { by: "number", number };
  if (isUrl(typed)) {
    throw new UsageError(
      `'${typed}' is not the URL of a pull request`,
      "The URL must look like https://HOST/OWNER/NAME/pulls/12.",
    );
  }
  if (typed === "" || /[\s~^?*[\\]|\.\./.test(typed))
    throw new UsageError(`'${typed}' is not a pull request or a branch`);
  const [, owner, branch] = /^([^:/]+):(.+)$/.exec(typed) ?? [];
  return owner !== undefined && branch !== undefined
    ? { by: "branch", owner, branch }
    : { by: "branch", branch: typed };
}

/** The number in `refs/pull/N/head`, as `branch.NAME.merge` can have it. */
export function pullOfRef(ref = ""): number | undefined {
  const number = /^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1];
  return number === undefined ? undefined : exactNumber(number);
}

/** What finding a pull request needs: the current branch, and which remotes are on the server. */
export type FindContext = RepositoryContext & Pick<BaseContext, "git" | "profiles">;

/** Fetches the selected pull request: one API request for a number, else the list is searched. */
export async function findPull(selector: PullSelector, context: FindContext): Promise<PullRequest> {
  if (selector.by === "number") return call(context.http, pullGet, { repo: context.repo, index: selector.number });
  return findByBranch(selector.by === "current" ? await currentHeadBranch(context) : selector, context);
}

/** The number of the selected pull request; without an API request if it was given. */
export async function findNumber(selector: PullSelector, context: FindContext): Promise<number> {
  return selector.by === "number" ? selector.number : (await findPull(selector, context)).number;
}

/** The error for a command that needs a current branch where there is none. */
export async function noBranchError(git: Git, hint: string): Promise<UsageError> {
  const isRepository = (await git.attempt(["rev-parse", "--git-dir"])).code === 0;
  const reason = isRepository ? "not on any branch" : "not in a git repository";
  return new UsageError(`Could not determine the current branch: ${reason}`, hint);
}

/** Throws a usage error for a branch without commits, as in the clone of an empty repository. */
export async function requireCommits(git: Git, branch: string, hint: string): Promise<void> {
  if (!(await hasRef(git, `refs/heads/${branch}`))) throw new UsageError(`Branch ${branch} has no commits yet`, hint);
}

/** The current branch, or the branch it tracks: `pr checkout` sets `branch.NAME.merge`. */
async function currentHeadBranch(context: FindContext): Promise<HeadBranch & { readonly number?: number }> {
  const { git, repo } = context;
  const branch = await git.currentBranch();
  const hint = "Pass a number, a URL or a branch.";
  if (branch === undefined) throw await noBranchError(git, hint);
  await requireCommits(git, branch, hint);
  const settings = await branchSettings(git, branch);
  const { remote, merge } = settings;
  const number = pullOfRef(merge);
  if (number !== undefined) return { branch, number };
  const remotes = await git.remotes();
  // A branch of a fork without a remote here tracks the fork's URL instead.
  const ownerOf = (name = "") => {
    const owner = (remotes.find((one) => one.name === name) ?? repositoryOfUrl(name))?.owner;
    return owner === repo.owner ? undefined : owner;
  };
  if (merge !== undefined && (await pushesToUpstream(git, branch, settings))) {
    return { branch: merge, owner: ownerOf(remote) };
  }
  // Git pushes it under its own name; a mirror on another server has no pull requests here.
  const pushed = [settings.pushRemote, settings.pushDefault, await remoteWithBranch(git, branch), remote];
  const here = await remotesOnServer(context);
  const isElsewhere = (name: string) =>
    remotes.some((one) => (one.name === name || one.url === name) && !here.includes(one));
  return { branch, owner: ownerOf(pushed.find((name) => name !== undefined && !isElsewhere(name))) };
}

/** The hint where a branch has no pull request, unless its repository is a fork. */
export const createHint = "Create one: tongs pr create";

/** The newest pull request from a branch, open ones first. Reads the list until one is found. */
async function findByBranch(
  head: HeadBranch & { readonly number?: number },
  context: FindContext,
): Promise<PullRequest> {
  const { http, repo } = context;
  if (head.number !== undefined) return call(http, pullGet, { repo, index: head.number });
  // In a clone of a fork whose default repository is the original, a branch can be that of either.
  const fork = (await remotesOnServer(context)).find(({ base }) => base !== undefined && isSameRepo(base, repo));
  const owners = head.owner === undefined && fork !== undefined ? [repo.owner, fork.owner] : [head.owner];
  for (const state of ["open", "closed"] as const) {
    for await (const pull of call(http, pullList, { repo, state }).take(Number.POSITIVE_INFINITY)) {
      const isIt = (owner?: string) => isFromBranch(pull, { branch: head.branch, owner: ownerIn(pull, repo, owner) });
      if (owners.some(isIt)) return pull;
    }
  }
  // The local branch of one without a branch on the server, as tongs pr create --agit and checkout set it.
  const merge = head.owner === undefined ? (await branchSettings(context.git, head.branch)).merge : undefined;
  const number = pullOfRef(merge);
  if (number !== undefined) return call(http, pullGet, { repo, index: number });
  const name = head.owner === undefined ? head.branch : `${head.owner}:${head.branch}`;
  const parent = parentOf((await unlessFailed(call(http, repoGet, { repo }))) ?? {});
  const where = parent && fullName(parent);
  throw new Failure("not_found", `No pull requests found for branch ${name} in ${fullName(repo)}`, {
    hint:
      where === undefined
        ? createHint
        : `It may be in ${where}, the parent: pass -R ${where}, or run: ${joinWords(["tongs", "repo", "set-default", where])}`,
  });
}

/** The pull request from one branch into another: the open one, else the newest. */
export async function findBetweenBranches(
  base: string,
  head: string,
  context: RepositoryContext,
): Promise<PullRequest> {
  const found = await searchBetweenBranches(base, head, context, "all");
  if (found !== undefined) return found;
  const message = `No pull requests found from ${head} into ${base} in ${fullName(context.repo)}`;
  throw new Failure("not_found", message, { hint: "List them: tongs pr list --state all" });
}

/**
 * The pull request between two branches: the open one, else the newest. From the list, because the direct look-up answers with any
 * of several, in any state, and reads branches named `files` or `merge` as other operations (docs/server-differences.md, "Pull
 * requests: listing").
 */
export async function searchBetweenBranches(
  base: string,
  head: string,
  { http, repo }: Pick<RepositoryContext, "http" | "repo">,
  state: "open" | "all",
): Promise<PullRequest | undefined> {
  const [, owner, branch = head] = /^([^:/]+)(?:\/[^:]+)?:(.+)$/.exec(head) ?? [];
  const matches = (pull: PullRequest) =>
    pull.base?.ref === base && isFromBranch(pull, { branch, owner: ownerIn(pull, repo, owner) });
  let newest: PullRequest | undefined;
  const all = filterListing(call(http, pullList, { repo, state, base_branch: base }), matches);
  for await (const pull of all.take(Number.POSITIVE_INFINITY)) {
    if (pull.state === "open") return pull;
    newest ??= pull;
  }
  return newest;
}

/** The owner of a head branch in a record: a repository that was transferred is still found under its old owner. */
function ownerIn(pull: PullRequest, repo: RepoName, owner = repo.owner): string {
  const isOwn = owner.toLowerCase() === repo.owner.toLowerCase();
  return isOwn ? (pull.base?.repo?.owner?.login ?? owner) : owner;
}

/** Whether a branch is the head of a pull request. The owner of a deleted fork is unknown and not compared. */
export function isFromBranch(pull: PullRequest, { branch, owner }: HeadBranch): boolean {
  if (pull.head?.ref !== branch && pull.head?.label !== branch) return false;
  const actual = pull.head?.repo?.owner?.login;
  return owner === undefined || actual === undefined || actual.toLowerCase() === owner.toLowerCase();
}
