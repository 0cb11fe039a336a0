import { exists } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, ServerError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { integer, serverRecord } from "../shape/shape.ts";
import { call, operation } from "./operation.ts";

const issue = serverRecord("an issue", { number: integer });

/** Whether an issue or a pull request exists. */
export const issueCheck = operation("GET", "/repos/{owner}/{repo}/issues/{index}", {
  answers: exists(issue),
  missing: "Issue #{index}",
});

/** The issue that an operation is about. */
interface Place {
  readonly repo: RepoName;
  readonly index: number;
}

/**
 * Explains a 500: for an issue that does not exist, the servers answer 500 to its comments and its timeline
 * (docs/server-differences.md, "Issues"). Asks whether the issue exists.
 */
async function explained(error: unknown, http: Http, { repo, index }: Place): Promise<unknown> {
  if (!(error instanceof ServerError) || error.exchange.status !== 500) return error;
  const found = await call(http, issueCheck, { repo, index }).catch(() => undefined);
  if (found !== false) return error;
  return new NotFoundError(error.exchange, `Issue #${index} not found in ${fullName(repo)}`);
}

/** A listing whose 500 is explained. */
export function explainMissingIssue<T>(http: Http, place: Place, listing: Listing<T>): Listing<T> {
  return {
    async *take(limit) {
      try {
        yield* listing.take(limit);
      } catch (error) {
        throw await explained(error, http, place);
      }
    },
    get total() {
      return listing.total;
    },
  };
}

/** The result of a request whose 500 is explained. */
export function orMissingIssue<T>(http: Http, place: Place, request: Promise<T>): Promise<T> {
  return request.catch(async (error: unknown) => {
    throw await explained(error, http, place);
  });
}
