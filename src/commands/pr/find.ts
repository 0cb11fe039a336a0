import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { pushesToUpstream } from "../../git/refs.ts";
import { fullName, repositoryOfUrl } from "../../repo/repo-name.ts";
import { comesFrom, type Head } from "./head.ts";
import type { PullSelector } from "./selector.ts";

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
  if (!(await pushesToUpstream(git, branch, { remote, merge: name }))) return { branch };
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
