import { Failure } from "../../../failure/failure.ts";
import { commitGet, type Note, noteGet } from "../../../forge/commits.ts";
import { call } from "../../../forge/operation.ts";
import type { Http } from "../../../http/client.ts";
import { NotFoundError } from "../../../http/errors.ts";
import type { RepoName } from "../../../repo/repo-name.ts";

/** The note of a commit. Throws a failure that says whether the commit or its note is missing. */
export async function existingNote(http: Http, repo: RepoName, sha: string): Promise<Note> {
  return call(http, noteGet, { repo, sha, verification: false, files: false }).catch(async (error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    const { sha: known } = await call(http, commitGet, { repo, sha, stat: false, files: false, verification: false });
    throw new Failure("not_found", `Commit ${known.slice(0, 10)} has no note`, { cause: error });
  });
}
