import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { present } from "../shape/shape.ts";
import { branchHeadGet } from "./branches.ts";
import type {
  CreatePullRequestOption,
  EditPullRequestOption,
  PullReviewRequestOptions,
} from "./generated/operations.ts";
import { call } from "./operation.ts";
import { createPullRequest, editPullRequest, type PullRequest, pullGet } from "./pulls.ts";
import { reviewerRequest } from "./reviews.ts";

/** The created pull request, and the parts of the request that failed. */
export interface CreatedPull {
  readonly pull: PullRequest;
  readonly failed: readonly FailedPart[];
}

/** A part of the request that failed after the pull request was created. */
export interface FailedPart {
  readonly what: string;
  readonly failure: Failure;
}

/** Creates a pull request with the same result on every server: what a server ignores at creation is sent afterwards. */
export async function createPull(http: Http, repo: RepoName, body: CreatePullRequestOption): Promise<CreatedPull> {
  const pull = await postPull(http, repo, body);
  const allow = body.allow_maintainer_edit;
  const fields = allow === undefined || pull.allow_maintainer_edit === allow ? {} : { allow_maintainer_edit: allow };
  return completePull(http, repo, pull, body, fields);
}

/** Sets the fields that a new pull request does not have yet, requests its reviewers, and collects the parts that failed. */
export async function completePull(
  http: Http,
  repo: RepoName,
  pull: PullRequest,
  body: CreatePullRequestOption,
  fields: EditPullRequestOption,
): Promise<CreatedPull> {
  const failed: FailedPart[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      failed.push({ what, failure: error });
    });
  };
  const reviewers = missingReviewers(pull, body);
  const left = Object.keys(fields);
  if (left.length > 0)
    await attempt(`${left.join(", ")} ${left.length === 1 ? "was" : "were"} not set`, () =>
      editPullRequest(http, repo, pull.number, fields),
    );
  if (reviewers !== undefined)
    await attempt("the reviews could not be requested", () =>
      call(http, reviewerRequest, { repo, index: pull.number }, reviewers),
    );
  const isChanged = left.length > 0 || reviewers !== undefined;
  const now = isChanged ? await call(http, pullGet, { repo, index: pull.number }).catch(() => pull) : pull;
  return { pull: now, failed };
}

/**
 * Forgejo accepts a fork only as `owner:branch`, without the repository
 * (docs/server-differences.md, "Pull requests: creating").
 */
async function postPull(http: Http, repo: RepoName, body: CreatePullRequestOption): Promise<PullRequest> {
  const [, owner, fork, branch] = /^([^/:]+)\/([^/:]+):(.+)$/.exec(body.head) ?? [];
  try {
    return await createPullRequest(http, repo, body);
  } catch (error) {
    if (owner === undefined || fork === undefined || !(error instanceof NotFoundError)) throw error;
    await call(http, branchHeadGet, { repo: { owner, name: fork }, branch: branch ?? "" });
    return createPullRequest(http, repo, { ...body, head: `${owner}:${branch}` });
  }
}

/**
 * The reviewers that were not requested: Forgejo ignores them at creation
 * (docs/server-differences.md, "Pull requests: creating"). E-mail addresses cannot be compared with logins, so they are
 * sent again only if nobody was requested.
 */
function missingReviewers(pull: PullRequest, body: CreatePullRequestOption): PullReviewRequestOptions | undefined {
  const people = new Set(present(pull.requested_reviewers).map(({ login }) => login.toLowerCase()));
  const teams = new Set(present(pull.requested_reviewers_teams).map(({ name }) => name.toLowerCase()));
  const wanted = body.reviewers ?? [];
  const none = people.size === 0;
  const reviewers = wanted.filter((name) => (name.includes("@") ? none : !people.has(name.toLowerCase())));
  const team_reviewers = (body.team_reviewers ?? []).filter((name) => !teams.has(name.toLowerCase()));
  return reviewers.length + team_reviewers.length === 0 ? undefined : { reviewers, team_reviewers };
}
