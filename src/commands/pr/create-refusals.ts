import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import type { Head } from "./create-head.ts";
import { pullName, refused } from "./subject.ts";

/** Says what a refused creation means: the servers' words for it differ, and some have none. */
export async function explainCreate(
  context: RepositoryContext,
  { head, base }: { readonly head: Head; readonly base: string },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof HttpError)) return error;
  const { repo, server } = context;
  const { status, serverMessage } = error;
  // The message calls the number that paths use `issue_id` (api-facts 3.5.3).
  const other = /issue_id: (\d+)/.exec(serverMessage)?.[1];
  if (status === 409 && other !== undefined) {
    const message = `${pullName(context, Number(other))} is open already from ${head.spelled} into ${base}`;
    return refused("exists", message, `${addressText(server.base)}/${fullName(repo)}/pulls/${other}`, error);
  }
  if (status === 422 && /no changes between/.test(serverMessage)) {
    return refused("nothing_new", `There is nothing between ${head.spelled} and ${base}`, undefined, error);
  }
  if (status === 422 && /must be branches/.test(serverMessage)) {
    const message = `The head and the base must be branches, not tags or commits (${head.spelled} into ${base})`;
    return new Failure("invalid", "invalid", message, detailsOf(error));
  }
  const noFork =
    (status === 400 && /does not have a fork/.test(serverMessage)) ||
    (status === 404 && serverMessage === "GetBaseRepo");
  if (noFork) return missing(`${head.repo.owner} has no fork of ${fullName(repo)}`, error);
  return status === 404 ? explainAbsent(context, head, base, error) : error;
}

/** Looks for what a 404 is about: the base, the head, the fork, or pull requests being switched off. */
async function explainAbsent(context: RepositoryContext, head: Head, base: string, error: HttpError): Promise<unknown> {
  const { forge, repo } = context;
  const isThere = async (place: RepoName, branch: string) => {
    try {
      await forge.branches.get(place, branch);
      return true;
    } catch (reason) {
      if (reason instanceof NotFoundError) return false;
      throw reason;
    }
  };
  const into = await forge.repos.get(repo).catch(() => undefined);
  if (into === undefined) return error;
  if (into.has_pull_requests === false) return missing(`Pull requests are switched off in ${fullName(repo)}`, error);
  if (into.empty) return missing(`${fullName(repo)} is empty: there is no branch to merge into`, error);
  if (!(await isThere(repo, base))) return missing(`There is no branch ${base} in ${fullName(repo)}`, error);
  if (await isThere(head.repo, head.branch)) return error;
  const fork = await forge.repos.get(head.repo).catch(() => undefined);
  if (fork === undefined)
    return missing(`${head.repo.owner} has no repository ${head.repo.name} that you may see`, error);
  return missing(
    `There is no branch ${head.branch} in ${fullName(head.repo)}`,
    error,
    "Push it first: --push, or git push.",
  );
}

function missing(message: string, error: HttpError, hint?: string): Failure {
  return new Failure("not_found", "notFound", message, { ...detailsOf(error), hint });
}

function detailsOf(error: HttpError) {
  const { status, method, path, request } = error;
  return { status, method, path, request, cause: error };
}
