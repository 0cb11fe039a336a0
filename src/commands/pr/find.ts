import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import type { Arg } from "../../command/args.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { narrow } from "../../forge/listings.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { isPushedThere } from "../../git/refs.ts";
import { HttpError } from "../../http/errors.ts";
import { fullName, repositoryOfUrl } from "../../repo/repo-name.ts";

/** How a pull request was named. */
export type PullSelector =
  | { readonly by: "number"; readonly number: number }
  | { readonly by: "branch"; readonly branch: string; readonly owner?: string }
  | { readonly by: "current" };

const description = "a number, its URL, a branch, OWNER:BRANCH; left out, the current branch's";

/** An argument that selects a pull request, or the current branch's when it is left out. */
export const pullSelector: Arg<PullSelector> = {
  count: "optional",
  description,
  read: (typed) => (typed[0] === undefined ? { by: "current" } : parsePull(typed[0])),
  locate: (typed) => (typed[0] !== undefined && isUrl(typed[0]) ? typed[0] : undefined),
};

/** The same where it must be given. */
export const requiredPull: Arg<PullSelector> = {
  ...pullSelector,
  count: "one",
  description: description.split(";")[0] ?? "",
};

function isUrl(typed: string): boolean {
  return /^https?:\/\//i.test(typed);
}

/** Reads `12`, `#12`, a pull request's URL, `OWNER:BRANCH` or `BRANCH`. */
function parsePull(typed: string): PullSelector {
  const number = /^#?(\d+)$/.exec(typed)?.[1] ?? /^https?:\/\/[^?#]*\/pulls\/(\d+)([/?#]|$)/i.exec(typed)?.[1];
  if (number !== undefined) return { by: "number", number: Number(number) };
  if (isUrl(typed)) {
    throw new UsageError(
      `'${typed}' is not the address of a pull request`,
      "It looks like https://HOST/OWNER/NAME/pulls/12.",
    );
  }
  if (typed === "" || /[\s~^?*[\\]|\.\./.test(typed))
    throw new UsageError(`'${typed}' names no pull request and no branch`);
  const [, owner, branch] = /^([^:/]+):(.+)$/.exec(typed) ?? [];
  return owner !== undefined && branch !== undefined
    ? { by: "branch", owner, branch }
    : { by: "branch", branch: typed };
}

type FindContext = RepositoryContext & Pick<BaseContext, "git">;

/** The pull request that was selected. One request when it was named by number. */
export async function findPull(selector: PullSelector, context: FindContext): Promise<PullRequest> {
  if (selector.by === "number") return context.forge.pulls.get(context.repo, selector.number);
  return byBranch(selector.by === "current" ? await currentHead(context) : selector, context);
}

/** The number of the selected pull request; nothing is asked when it was named by number. */
export async function findNumber(selector: PullSelector, context: FindContext): Promise<number> {
  return selector.by === "number" ? selector.number : (await findPull(selector, context)).number;
}

/** The branch checked out here, or the one that it was checked out from: `pr checkout` keeps `branch.NAME.merge`. */
async function currentHead({ git, repo }: FindContext): Promise<Head & { readonly number?: number }> {
  const branch = await git.currentBranch();
  if (branch === undefined) {
    throw new UsageError("Which pull request? No branch is checked out here", "Name it: a number, a URL or a branch.");
  }
  const { stdout } = await git.attempt(["config", "--get-regexp", `^branch\\.${escaped(branch)}\\.(merge|remote)$`]);
  const merge = /\.merge (.*)$/m.exec(stdout)?.[1];
  const remote = /\.remote (.*)$/m.exec(stdout)?.[1];
  const number = /^refs\/pull\/(\d+)\/head$/.exec(merge ?? "")?.[1];
  if (number !== undefined) return { branch, number: Number(number) };
  // A branch of a fork that is no remote here follows the fork's address instead.
  const from = (await git.remotes()).find(({ name }) => name === remote) ?? repositoryOfUrl(remote ?? "");
  const owner = from !== undefined && from.owner !== repo.owner ? from.owner : undefined;
  const name = merge?.replace(/^refs\/heads\//, "") ?? branch;
  if (!(await isPushedThere(git, branch, { remote, merge: name }))) return { branch };
  return { branch: name, owner };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The newest pull request from a branch, open ones first. The list is read as far as needed. */
async function byBranch(head: Head & { readonly number?: number }, context: FindContext): Promise<PullRequest> {
  const { forge, repo } = context;
  if (head.number !== undefined) return forge.pulls.get(repo, head.number);
  for (const state of ["open", "closed"] as const) {
    for await (const pull of forge.pulls.list(repo, { state }).take(Number.POSITIVE_INFINITY)) {
      if (comesFrom(pull, { branch: head.branch, owner: head.owner ?? repo.owner })) return pull;
    }
  }
  const name = head.owner === undefined ? head.branch : `${head.owner}:${head.branch}`;
  throw new Failure("not_found", "notFound", `${fullName(repo)} has no pull request from the branch ${name}`, {
    hint: "Make one with: tongs pr create",
  });
}

/**
 * The pull request from one branch into another: the open one, else the newest. One request when an open one exists;
 * the servers answer with any of several, in any state (api-facts 0.1 row 30), and take branches named `files` or
 * `merge` for something else, so otherwise the list is read.
 */
export async function betweenBranches(
  base: string,
  head: string,
  { forge, repo }: RepositoryContext,
): Promise<PullRequest> {
  const answered = await forge.pulls.byBranches(repo, base, head).catch(undefinedIfMissing);
  if (answered?.state === "open") return answered;

  const [, owner, branch = head] = /^([^:/]+)(?:\/[^:]+)?:(.+)$/.exec(head) ?? [];
  const from: Head = { branch, owner: owner ?? repo.owner };
  const fits = (pull: PullRequest) => pull.base?.ref === base && comesFrom(pull, from);
  let newest: PullRequest | undefined;
  const all = narrow(forge.pulls.list(repo, { state: "all", base_branch: base }), fits);
  for await (const pull of all.take(Number.POSITIVE_INFINITY)) {
    if (pull.state === "open") return pull;
    newest ??= pull;
  }
  const found = newest ?? answered;
  if (found !== undefined) return found;
  const message = `${fullName(repo)} has no pull request from ${head} into ${base}`;
  throw new Failure("not_found", "notFound", message, { hint: "See what there is: tongs pr list --state all" });
}

/** The route of another operation may answer (405), too: then the list decides. */
function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof HttpError && (error.exit === "notFound" || error.exchange.status === 405)) return undefined;
  throw error;
}

/** A branch, and whose it is where that was said. */
export interface Head {
  readonly branch: string;
  readonly owner?: string | undefined;
}

/** Whether a pull request comes from a branch. The owner of a fork that is gone is not known, and not tested. */
export function comesFrom(pull: PullRequest, { branch, owner }: Head): boolean {
  if (pull.head?.ref !== branch && pull.head?.label !== branch) return false;
  const actual = pull.head?.repo?.owner?.login;
  return owner === undefined || actual === undefined || actual.toLowerCase() === owner.toLowerCase();
}
