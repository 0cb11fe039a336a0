import { exists } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, ServerError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { integer, serverRecord } from "../shape/shape.ts";
import { orInstead } from "./listings.ts";
import { call, operation } from "./operation.ts";

const issue = serverRecord("an issue", { number: integer });

/** Whether an issue or a pull request exists. */
export const issueCheck = operation("GET", "/repos/{owner}/{repo}/issues/{index}", { answers: exists(issue) });

/** The issue that an operation is about. */
interface Place {
  readonly repo: RepoName;
  readonly index: number;
}

/** A listing whose 500 is explained. */
export function explainMissingIssue<T>(http: Http, place: Place, listing: Listing<T>): Listing<T> {
  return orInstead(listing, (error) => orMissingIssue(http, place, Promise.reject<never>(error)));
}

/**
 * The result of a request whose 500 is explained: for an issue that does not exist, the servers answer 500 to its comments
 * and its timeline (docs/server-differences.md, "Issues"). Asks whether the issue exists.
 */
export function orMissingIssue<T>(http: Http, { repo, index }: Place, request: Promise<T>): Promise<T> {
  return request.catch(async (error: unknown) => {
    if (!(error instanceof ServerError) || error.exchange.status !== 500) throw error;
    const found = await call(http, issueCheck, { repo, index }).catch(() => undefined);
    if (found !== false) throw error;
    throw new NotFoundError(error.exchange, `Issue #${index} not found in ${fullName(repo)}`);
  });
}
