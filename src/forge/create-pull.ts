import { Failure } from "../failure/failure.ts";
import { HttpError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import type { Forge } from "./index.ts";
import type { CreatePullRequestOption, PullRequest } from "./pulls.ts";
import type { Reviewers } from "./reviews.ts";

/** A pull request that exists, and what of the wish did not come about. */
export interface MadePull {
  readonly pull: PullRequest;
  readonly missing: readonly Missing[];
}

/** A part that failed after the pull request was made. */
export interface Missing {
  readonly what: string;
  readonly failure: Failure;
}

/**
 * Makes a pull request, the same on every server: what a server ignored at creation is asked for afterwards, and a
 * creation that is reported as failed although it took place is found.
 */
export async function createPull(forge: Forge, repo: RepoName, body: CreatePullRequestOption): Promise<MadePull> {
  let pull: PullRequest;
  try {
    pull = await post(forge, repo, body);
  } catch (error) {
    const made = await madeAllTheSame(forge, repo, body, error);
    if (made === undefined || !(error instanceof Failure)) throw error;
    return { pull: made, missing: [{ what: "the reviews were not requested", failure: error }] };
  }
  const missing: Missing[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      missing.push({ what, failure: error });
    });
  };
  const ask = reviewersLeft(pull, body);
  const allow = body.allow_maintainer_edit;
  if (ask) await attempt("the reviews were not requested", () => forge.reviewers.request(repo, pull.number, ask));
  if (allow !== undefined && pull.allow_maintainer_edit !== allow) {
    const what = allow ? "maintainers may not edit it" : "maintainers may edit it";
    await attempt(what, () => forge.pulls.edit(repo, pull.number, { allow_maintainer_edit: allow }));
  }
  const changed = ask !== undefined || (allow !== undefined && pull.allow_maintainer_edit !== allow);
  return { pull: changed ? await forge.pulls.get(repo, pull.number).catch(() => pull) : pull, missing };
}

/** Forgejo takes `owner:branch` alone for a fork, and looks for a user called `owner/repo` (api-facts 3.5.2). */
async function post(forge: Forge, repo: RepoName, body: CreatePullRequestOption): Promise<PullRequest> {
  const [, owner, fork, branch] = /^([^/:]+)\/([^/:]+):(.+)$/.exec(body.head) ?? [];
  try {
    return await forge.pulls.create(repo, body);
  } catch (error) {
    const misread = error instanceof HttpError && error.status === 404 && error.serverMessage === "GetUserByName";
    if (owner === undefined || fork === undefined || !misread) throw error;
    await forge.branches.get({ owner, name: fork }, branch ?? "");
    return forge.pulls.create(repo, { ...body, head: `${owner}:${branch}` });
  }
}

/** Forgejo ignores reviewers at creation (api-facts 8.2); an e-mail address cannot be told apart and is not repeated. */
function reviewersLeft(pull: PullRequest, body: CreatePullRequestOption): Reviewers | undefined {
  const people = new Set((pull.requested_reviewers ?? []).map(({ login }) => login.toLowerCase()));
  const teams = new Set((pull.requested_reviewers_teams ?? []).map(({ name }) => name.toLowerCase()));
  const wanted = body.reviewers ?? [];
  const mails = people.size === 0;
  const reviewers = wanted.filter((name) => (name.includes("@") ? mails : !people.has(name.toLowerCase())));
  const team_reviewers = (body.team_reviewers ?? []).filter((name) => !teams.has(name.toLowerCase()));
  return reviewers.length + team_reviewers.length === 0 ? undefined : { reviewers, team_reviewers };
}

/**
 * Gitea answers 500 when a reviewer is the author or may not see the repository, although the pull request exists then
 * (api-facts 3.5.3). An equal open one cannot have been there before: that is a 409.
 */
async function madeAllTheSame(
  forge: Forge,
  repo: RepoName,
  body: CreatePullRequestOption,
  error: unknown,
): Promise<PullRequest | undefined> {
  const asked = (body.reviewers ?? []).length + (body.team_reviewers ?? []).length > 0;
  if (!(error instanceof HttpError) || error.status !== 500 || !asked) return undefined;
  const head = body.head.replace(/^[^:]*:/, "");
  for await (const pull of forge.pulls.list(repo, { state: "open" }).take(20)) {
    if (pull.title === body.title && pull.head?.ref === head && pull.base?.ref === body.base) return pull;
  }
  return undefined;
}
