import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import type { CreatedPull, FailedPart } from "../../forge/create-pull.ts";
import { call, find } from "../../forge/operation.ts";
import { pullGet } from "../../forge/pulls.ts";
import { repoGet } from "../../forge/repos.ts";
import { HttpError, isFound } from "../../http/errors.ts";
import { mayHaveActed, withLook } from "../../http/no-answer-error.ts";
import { addressText, commandIn } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { joinWords } from "../../text/words.ts";
import type { PullHead } from "./create-head.ts";
import { searchBetweenBranches } from "./find.ts";
import { pullName } from "./pull.ts";

/** The branches of a new pull request. */
interface Branches {
  readonly head: PullHead;
  readonly base: string;
  /** Whether tongs has just pushed the head branch. */
  readonly isPushed?: boolean;
}

/** Throws if there is an open pull request for the two branches: there can be only one. */
export async function refuseExisting(
  context: RepositoryContext & Pick<BaseContext, "git">,
  branches: Branches,
): Promise<void> {
  const { base, head } = branches;
  const found = (await followed(context, branches)) ?? (await searchBetweenBranches(base, head.label, context, "open"));
  if (found !== undefined) throw existsError(context, branches, found.number);
}

/** The open pull request that the branch was checked out from, if it has no other commits than that. */
async function followed({ http, repo, git }: RepositoryContext & Pick<BaseContext, "git">, { head, base }: Branches) {
  if (head.follows === undefined) return undefined;
  const pull = await find(http, pullGet, { repo, index: head.follows });
  const same = async (sha: string) => (await git.run(["rev-parse", `refs/heads/${head.local}`])) === sha;
  return pull?.state === "open" && pull.base.ref === base && (await same(pull.head.sha)) ? pull : undefined;
}

function existsError(context: RepositoryContext, { head, base }: Branches, number: number, cause?: unknown): Failure {
  const message = `A pull request from ${head.label} into ${base} already exists: ${pullName(context, number)}`;
  const hint = `${addressText(context.server.base)}/${fullName(context.repo)}/pulls/${number}`;
  return new Failure("exists", message, { hint, cause });
}

/**
 * The failure for a pull request that was created, but not with everything that was requested. `edit` is the command line
 * that edits it.
 */
export function incompleteError(name: string, edit: string, failed: readonly FailedPart[], first: Failure): Failure {
  const what = failed.map((part) => part.what).join(", and ");
  const reasons = failed.map(({ failure }) => failure.message).join("\n");
  const { status, method, path } = first;
  const hint = `${reasons}\nDo not create it again. Fix it: ${edit}`;
  return new Failure("partly_done", `Created ${name}, but ${what}`, { hint, status, method, path, cause: first });
}

/** How long a push is waited for, in milliseconds, before each further attempt. */
const waits: readonly number[] = [250, 500, 1000, 2000, 4000];

/**
 * Creates a pull request, or explains why that failed. Servers look at a push after they have answered it: where tongs has
 * just pushed the head branch, a server that does not know it yet is asked again, for some seconds.
 */
export async function createExplained(
  context: RepositoryContext & Pick<BaseContext, "system" | "out">,
  branches: Branches,
  create: () => Promise<CreatedPull>,
  left: readonly number[] = branches.isPushed ? waits : [],
): Promise<CreatedPull> {
  const [wait, ...later] = left;
  try {
    return await create();
  } catch (error) {
    const explained = await explainCreateError(context, branches, error);
    // It can have come in between.
    const isLate = explained instanceof NotSeenError || (explained instanceof HttpError && explained.status === 404);
    if (!isLate || wait === undefined) throw explained;
  }
  await context.system.sleep(wait, context.system.signal);
  return createExplained(context, branches, create, later);
}

/** A branch that is not on the server: after a push, it may only not be there yet. */
class NotSeenError extends Failure {}

/** Explains why the pull request was not created: the servers' messages differ, and some are empty. */
async function explainCreateError(context: RepositoryContext, branches: Branches, error: unknown): Promise<unknown> {
  const { head, base } = branches;
  const { repo } = context;
  if (mayHaveActed(error)) {
    return withLook(error, commandIn(context, joinWords(["tongs", "pr", "list", "--head", head.branch])));
  }
  if (!(error instanceof HttpError)) return error;
  const { status, serverMessage } = error;
  // `issue_id` in the message is the number of the pull request
  // (docs/server-differences.md, "Pull requests: creating").
  const other = /issue_id: (\d+)/.exec(serverMessage)?.[1];
  if (status === 409 && other !== undefined) return existsError(context, branches, Number(other), error);
  if (status === 422 && /no changes between/.test(serverMessage)) {
    return new Failure("no_new_commits", `No commits between ${base} and ${head.label}`, { cause: error });
  }
  const noFork =
    (status === 400 && /does not have a fork/.test(serverMessage)) ||
    (status === 404 && serverMessage === "GetBaseRepo");
  if (noFork) return notFoundError(`${head.repo.owner} has no fork of ${fullName(repo)}`, error);
  // Forgejo 10 answers 500 for a head that does not exist.
  return status === 404 || status === 500 ? explainNotFound(context, branches, error) : error;
}

/** Explains a 404 or 500: base, head or fork not found, or pull requests disabled. */
async function explainNotFound(
  { http, repo }: RepositoryContext,
  { head, base, isPushed }: Branches,
  error: HttpError,
): Promise<unknown> {
  const branchExists = (place: RepoName, branch: string) => isFound(call(http, branchHeadGet, { repo: place, branch }));
  const into = await call(http, repoGet, { repo }).catch(() => undefined);
  if (into === undefined) return error;
  if (into.has_pull_requests === false) return notFoundError(`Pull requests are disabled in ${fullName(repo)}`, error);
  const notSeen = (message: string, hint?: string) => {
    const again = "It was pushed, and the server may not have noticed yet. Run the command again.";
    return new NotSeenError("not_found", message, { ...requestDetails(error), hint: isPushed ? again : hint });
  };
  if (into.empty) return notSeen(`${fullName(repo)} is empty: it has no branch to merge into`);
  if (!(await branchExists(repo, base))) return notFoundError(`Branch ${base} not found in ${fullName(repo)}`, error);
  if (await branchExists(head.repo, head.branch)) return error;
  const fork = await call(http, repoGet, { repo: head.repo }).catch(() => undefined);
  if (fork === undefined)
    return notFoundError(`Repository ${fullName(head.repo)} not found, or you do not have access`, error);
  const hint = "Push it first: pass --push, or run git push.";
  return notSeen(`Branch ${head.branch} not found in ${fullName(head.repo)}`, hint);
}

function notFoundError(message: string, error: HttpError): Failure {
  return new Failure("not_found", message, requestDetails(error));
}

function requestDetails(error: HttpError) {
  const { status, method, path, request } = error;
  return { status, method, path, request, cause: error };
}
