import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser, remotesOnServer } from "../../app/shared.ts";
import { call, find } from "../../forge/operation.ts";
import { defaultBranch, parentOf, type Repository, repoGet } from "../../forge/repos.ts";
import { keepDefault } from "../../git/keep-default.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { noBranchError } from "./find.ts";
import { pullName } from "./pull.ts";
import { openPulls, parentOfBranch } from "./stack-chain.ts";

/** Where a new pull request goes. */
export interface PullBase {
  readonly repo: RepoName;
  readonly branch: string;
  /** Where a head branch is that is named without its owner: the repository that the clone is of. */
  readonly home: RepoName;
}

type Context = BaseContext & RepositoryContext;

/**
 * The base of a new pull request: by default the default branch of the selected repository. The only remote of a plain clone
 * of your own fork is the fork: there, prompts for the repository, or else takes the parent and says so. Keeps it as the
 * default of the clone, on which other commands then work, too.
 */
export async function resolveBase(context: Context, branch: string | undefined): Promise<PullBase> {
  const { http, repo, git, out, prompt, options, isRepoGiven } = context;
  const [remote] = isRepoGiven ? [] : await remotesOnServer(context);
  const isChosen = remote === undefined || remote.isDefault === true;
  const home = remote?.base === undefined ? repo : { owner: remote.owner, name: remote.repo };
  if (isChosen && branch !== undefined) return { repo, branch, home };
  const found = await call(http, repoGet, { repo });
  const own = { repo, branch: branch ?? defaultBranch(found), home };
  const parent = isChosen ? undefined : await parentOfOwnFork(context, found);
  if (parent === undefined || remote === undefined) return own;
  const into = { repo: parent.repo, branch: branch ?? defaultBranch(parent.found), home };
  const [fork, original] = [fullName(repo), fullName(parent.repo)];
  const asks = prompt.able && !options.yes && !options.dryRun;
  const chosen = !asks
    ? into
    : await prompt.select({
        message: "Which should be the base repository?",
        flag: "-R",
        choices: [
          { name: original, value: into, description: `the parent of ${fork}` },
          { name: fork, value: own, description: "your fork" },
        ],
      });
  if (!asks) {
    const how = `pass -R ${fork}, or run: tongs repo set-default ${fork}`;
    out.note(`The base repository is ${original}, the parent of ${fork}; to use the fork, ${how}`);
  }
  if (!options.dryRun) await keepDefault(git, remote.name, chosen === own ? undefined : parent.repo);
  return chosen;
}

/**
 * The base of a pull request on top of another: the branch of the nearest open one whose commits the head branch has, or else
 * `branch`. Says which it is.
 */
export async function stackedBase(context: Context, head: string | undefined, branch: string): Promise<string> {
  const { git, out } = context;
  const local = head ?? (await git.currentBranch());
  if (local === undefined) throw await noBranchError(git, "Pass the head branch with --head.");
  const parent = await parentOfBranch(git, local.replace(/^[^:]*:/, ""), await openPulls(context));
  if (parent === undefined) {
    out.note(`${local} has the commits of no open pull request with a branch here: the base is ${branch}`);
    return branch;
  }
  out.note(`${local} is stacked on ${pullName(context, parent.number)} (${parent.head.ref})`);
  return parent.head.ref;
}

/** The parent of a fork in the user's own account; undefined if it is none, or the parent is not accessible. */
async function parentOfOwnFork(context: Context, fork: Repository) {
  const { http } = context;
  const repo = parentOf(fork);
  if (repo === undefined || fork.owner?.login.toLowerCase() !== (await currentUser(context)).toLowerCase()) {
    return undefined;
  }
  const found = await find(http, repoGet, { repo });
  return found === undefined ? undefined : { repo: { owner: repo.owner, name: repo.name }, found };
}
