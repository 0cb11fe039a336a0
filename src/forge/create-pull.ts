import { Failure, unlessFailed } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { HttpError, NotFoundError } from "../http/errors.ts";
import { mayHaveActed } from "../http/no-answer-error.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { present } from "../shape/shape.ts";
import { branchHeadGet } from "./branches.ts";
import type { CreatePullRequestOption, PullReviewRequestOptions } from "./generated/operations.ts";
import { collect } from "./listings.ts";
import { call, respond } from "./operation.ts";
import { createPullRequest, editPullRequest, type PullRequest, pullGet, pullList } from "./pulls.ts";
import { reviewerRequest } from "./reviews.ts";
import { sentAt } from "./sent-at.ts";

/** The created pull request, and the parts of the request that failed. */
export interface CreatedPull {
  readonly pull: PullRequest;
  readonly failed: readonly FailedPart[];
  /** The answer to its creation was lost: it was found afterwards. */
  readonly lost?: Failure;
}

/** A part of the request that failed after the pull request was created. */
export interface FailedPart {
  readonly what: string;
  readonly failure: Failure;
}

/**
 * Creates a pull request with the same result on every server: what a server ignores at creation is sent afterwards,
 * and a pull request that was created despite an error is found.
 */
export async function createPull(http: Http, repo: RepoName, body: CreatePullRequestOption): Promise<CreatedPull> {
  const start = performance.now();
  let pull: PullRequest;
  let lost: Failure | undefined;
  try {
    pull = await postPull(http, repo, body);
  } catch (error) {
    const created = await findCreatedPull(http, repo, body, error);
    if (created === undefined || !(error instanceof Failure)) throw error;
    if (!mayHaveActed(error))
      return { pull: created, failed: [{ what: "the reviews could not be requested", failure: error }] };
    const now = await unlessFailed(respond(http, pullGet, { repo, index: created.number }));
    const sent = sentAt(now?.headers["date"], performance.now() - start);
    if (!(Date.parse(now?.value.created_at ?? "") >= sent)) throw error;
    pull = created;
    lost = error;
  }
  const failed: FailedPart[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      failed.push({ what, failure: error });
    });
  };
  const reviewers = missingReviewers(pull, body);
  const allow = body.allow_maintainer_edit;
  if (reviewers)
    await attempt("the reviews could not be requested", () =>
      call(http, reviewerRequest, { repo, index: pull.number }, reviewers),
    );
  if (allow !== undefined && pull.allow_maintainer_edit !== allow) {
    const what = allow ? "maintainers cannot edit it" : "maintainers can still edit it";
    await attempt(what, () => editPullRequest(http, repo, pull.number, { allow_maintainer_edit: allow }));
  }
  const changed = reviewers !== undefined || (allow !== undefined && pull.allow_maintainer_edit !== allow);
  return {
    pull: changed ? await call(http, pullGet, { repo, index: pull.number }).catch(() => pull) : pull,
    failed,
    ...(lost === undefined ? {} : { lost }),
  };
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

/**
 * Gitea answers 500 if a reviewer is the author or cannot read the repository, but creates the pull request
 * (docs/server-differences.md, "Pull requests: creating"), and an answer can be lost. After a 500, one with the same title,
 * branches and owner is no older one: that is a 409.
 */
async function findCreatedPull(
  http: Http,
  repo: RepoName,
  body: CreatePullRequestOption,
  error: unknown,
): Promise<PullRequest | undefined> {
  const asked = (body.reviewers ?? []).length + (body.team_reviewers ?? []).length > 0;
  const isLost = mayHaveActed(error);
  if (!isLost && !(error instanceof HttpError && error.status === 500 && asked)) return undefined;
  const [, owner = repo.owner] = /^([^/:]+)[^:]*:/.exec(body.head) ?? [];
  const head = body.head.replace(/^[^:]*:/, "");
  const isIt = (pull: PullRequest) =>
    pull.title === body.title &&
    pull.head?.ref === head &&
    pull.base?.ref === body.base &&
    (pull.head.repo?.owner?.login ?? owner).toLowerCase() === owner.toLowerCase();
  const newest = await collect({ take: () => call(http, pullList, { repo, state: "open" }).take(20) }).catch(
    (reading: unknown) => {
      if (isLost && reading instanceof Failure) return [];
      throw reading;
    },
  );
  return newest.find(isIt);
}
