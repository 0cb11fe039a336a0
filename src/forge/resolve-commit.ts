import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, ServerError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { commitGet } from "./commits.ts";
import { call } from "./operation.ts";

interface Place {
  readonly http: Http;
  readonly repo: RepoName;
}

/** Whether a text is a whole hash. */
export function isHash(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}

/** The hash of a commit that is given by any revision. Throws a failure with code `not_found` if there is none. */
export async function resolveCommit(ref: string, { http, repo }: Place): Promise<string> {
  return isHash(ref) ? ref.toLowerCase() : existingCommit(ref, { http, repo });
}

/** A ref as the operations on contents take it: they find no full name, which is its commit then. */
export async function contentsRef(ref: string | undefined, place: Place): Promise<string | undefined> {
  return ref?.startsWith("refs/") ? resolveCommit(ref, place) : ref;
}

/** As `resolveCommit`, but a whole hash is looked up, too: not every operation fails for a commit that does not exist. */
export async function existingCommit(ref: string, { http, repo }: Place): Promise<string> {
  try {
    return (await call(http, commitGet, { repo, sha: ref, stat: false, files: false, verification: false })).sha;
  } catch (error) {
    throw error instanceof NotFoundError ? unknownCommit(ref, { repo }, error) : error;
  }
}

/**
 * Throws a better error if a server failed because a commit does not exist, which it does not say
 * (docs/server-differences.md, "Branches and tags"); else the error itself.
 */
export async function explainUnknownCommit(error: unknown, ref: string | undefined, context: Place): Promise<never> {
  if (!(error instanceof ServerError) || ref === undefined) throw error;
  try {
    await call(context.http, commitGet, {
      repo: context.repo,
      sha: ref,
      stat: false,
      files: false,
      verification: false,
    });
  } catch (reason) {
    if (reason instanceof NotFoundError) throw unknownCommit(ref, context, error);
  }
  throw error;
}

function unknownCommit(ref: string, { repo }: Pick<Place, "repo">, cause: unknown): Failure {
  return new Failure("not_found", `No branch, tag or commit '${ref}' in ${fullName(repo)}`, { cause });
}
