import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser, remotesOnServer } from "../../app/shared.ts";
import { call } from "../../forge/operation.ts";
import { defaultBranch, parentOf, type Repository, repoGet } from "../../forge/repos.ts";
import { ifFound } from "../../http/errors.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { noBranchError } from "./find.ts";
import { headName, pullName } from "./pull.ts";
import { openPulls, parentOfBranch } from "./stack-chain.ts";

/** Where a new pull request goes. */
export interface PullBase {
  readonly repo: RepoName;
  readonly branch: string;
}

type Context = BaseContext & RepositoryContext;

/**
 * The base of a new pull request: by default the default branch of the selected repository. The only remote of a plain clone
 * of your own fork is the fork: there, prompts for the repository, or else takes the parent and says so.
 */
export async function resolveBase(context: Context, branch: string | undefined): Promise<PullBase> {
  const { http, repo, out, prompt, options } = context;
  const isChosen = await isRepoChosen(context);
  if (isChosen && branch !== undefined) return { repo, branch };
  const found = await call(http, repoGet, { repo });
  const own = { repo, branch: branch ?? defaultBranch(found) };
  const parent = isChosen ? undefined : await parentOfOwnFork(context, found);
  if (parent === undefined) return own;
  const into = { repo: parent.repo, branch: branch ?? defaultBranch(parent.found) };
  const [fork, original] = [fullName(repo), fullName(parent.repo)];
  if (prompt.able && !options.yes && !options.dryRun) {
    return prompt.select({
      message: "Which should be the base repository?",
      flag: "-R",
      choices: [
        { name: original, value: into, description: `the parent of ${fork}` },
        { name: fork, value: own, description: "your fork" },
      ],
    });
  }
  out.note(`The base repository is ${original}, the parent of ${fork}; to use the fork, pass -R ${fork}`);
  return into;
}

/**
 * The base of a pull request on top of another: the branch of the nearest open one whose commits the head branch has, or else
 * `branch`. Says which it is.
 */
export async function stackedBase(context: Context, head: string | undefined, branch: string): Promise<string> {
  const { git, out } = context;
  const local = head ?? (await git.currentBranch());
  if (local === undefined) throw await noBranchError(git, "Pass the head branch with --head.");
  const { parent, elsewhere } = await parentOfBranch(git, local.replace(/^[^:]*:/, ""), await openPulls(context));
  if (elsewhere !== undefined) {
    const name = `${pullName(context, elsewhere.number)} (${headName(elsewhere)})`;
    const base = parent?.head.ref ?? branch;
    out.warn(`${local} is built on ${name}, whose branch is not in ${fullName(context.repo)}: the base is ${base}`);
  }
  if (parent === undefined) {
    if (elsewhere === undefined) out.note(`${local} has the commits of no open pull request: the base is ${branch}`);
    return branch;
  }
  out.note(`${local} is stacked on ${pullName(context, parent.number)} (${parent.head.ref})`);
  return parent.head.ref;
}

/** Whether the repository was given, is the default of the clone or of the profile: its remotes did not decide. */
async function isRepoChosen(context: Context): Promise<boolean> {
  if (context.isRepoGiven) return true;
  const [first] = await remotesOnServer(context);
  return first === undefined || first.isDefault === true;
}

/** The parent of a fork in the user's own account; undefined if it is none, or the parent is not accessible. */
async function parentOfOwnFork(context: Context, fork: Repository) {
  const { http } = context;
  const repo = parentOf(fork);
  if (repo === undefined || fork.owner?.login.toLowerCase() !== (await currentUser(context)).toLowerCase()) {
    return undefined;
  }
  const found = await ifFound(call(http, repoGet, { repo }));
  return found === undefined ? undefined : { repo: { owner: repo.owner, name: repo.name }, found };
}
