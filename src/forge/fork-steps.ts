import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { HttpError, NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { quoted } from "../text/words.ts";
import { branchHeadGet } from "./branches.ts";
import { hashesBetween } from "./commits.ts";
import { forkCreate, forkSync, forkSyncGet, type SyncResult, upstreamMerge } from "./forks.ts";
import { call, find } from "./operation.ts";
import { type Repository, repoGet } from "./repos.ts";

/**
 * Forks a repository for the user or an organization. The servers allow one fork per owner: an existing one is returned,
 * whatever its name (docs/server-differences.md, "Repositories").
 */
export async function forkOrExisting(
  http: Http,
  repo: RepoName,
  body: { readonly organization?: string | undefined; readonly name?: string | undefined },
): Promise<{ readonly fork: Repository; readonly isNew: boolean }> {
  try {
    return { fork: await call(http, forkCreate, { repo }, body), isNew: true };
  } catch (error) {
    const known = error instanceof HttpError && error.status === 409 ? forkPath(error.serverMessage) : undefined;
    if (known === undefined) throw error;
    return { fork: await call(http, repoGet, { repo: known }), isNew: false };
  }
}

/** The fork in the message `repository is already forked by user [uname: U, repo path: A/B, fork path: U/B]`. */
function forkPath(message: string): RepoName | undefined {
  const [, owner, name] = /\bfork path: ([^/\s]+)\/([^\]\s]+)\]/.exec(message) ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}

/**
 * Merges the parent's branch into a branch of a fork, with the operation that the server has
 * (docs/server-differences.md, "Repositories"). Throws `ignored` if the head of the branch is the same afterwards.
 */
export async function syncFork(
  http: Http,
  repo: RepoName,
  wanted: { readonly branch: string; readonly ffOnly: boolean },
): Promise<SyncResult> {
  const head = async () => (await find(http, branchHeadGet, { repo, branch: wanted.branch }))?.commit?.id;
  const before = await head();
  const result = await mergeParent(http, repo, wanted);
  if (result.merge_type === "up-to-date" || before === undefined || (await head()) !== before) return result;
  const message = `${wanted.branch} of ${fullName(repo)} was not synced: the server accepted it, but its head has not changed`;
  throw new Failure("ignored", message, { hint: "Try again in a minute." });
}

async function mergeParent(
  http: Http,
  repo: RepoName,
  { branch, ffOnly }: { readonly branch: string; readonly ffOnly: boolean },
): Promise<SyncResult> {
  try {
    return await call(http, upstreamMerge, { repo }, { branch, ff_only: ffOnly || undefined });
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    return fastForward(http, repo, branch, error);
  }
}

/** Forgejo only fast-forwards. Throws `missing` if the server has neither operation. */
async function fastForward(http: Http, repo: RepoName, branch: string, missing: Failure): Promise<SyncResult> {
  const info = await call(http, forkSyncGet, { repo, branch }).catch((error: unknown) => {
    throw error instanceof UnknownOperationError ? missing : error;
  });
  if (info.allowed) {
    await call(http, forkSync, { repo, branch });
    return { merge_type: "fast-forward" };
  }
  if (info.fork_commit !== info.base_commit && !(await contains(http, repo, branch, info.base_commit)))
    throw divergedError(repo, branch);
  return { merge_type: "up-to-date" };
}

/** Whether a branch contains a commit; the repository may not have it at all. */
function contains(http: Http, repo: RepoName, branch: string, commit: string): Promise<boolean> {
  return hashesBetween(http, repo, branch, commit).then(
    (hashes) => hashes.length === 0,
    (error: unknown) => {
      if (error instanceof NotFoundError) return false;
      throw error;
    },
  );
}

/** The failure for a branch that has commits of its own, so that it cannot be fast-forwarded. */
export function divergedError(repo: RepoName, branch: string, cause?: unknown): Failure {
  const message = `Cannot fast-forward ${branch} of ${fullName(repo)}: it has commits that its parent does not have`;
  const hint = `Merge it in a clone, and push: git fetch upstream && git merge ${quoted(`upstream/${branch}`)}`;
  return new Failure("diverged", message, { hint, cause });
}
