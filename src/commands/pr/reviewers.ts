import type { RepositoryContext } from "../../app/context.ts";
import { loginsOf } from "../../app/issues/edit.ts";
import { currentUser } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import { findByName, resolveTeams, resolveUsers, teamName, usersAmong } from "../../forge/names.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { present } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";

interface Reviewers {
  readonly reviewers: readonly string[];
  readonly team_reviewers: readonly string[];
}

/** The reviewers with these names: users, and teams as `ORG/TEAM`. Throws if one is unknown, or the author. */
export async function resolveReviewers(
  typed: readonly string[],
  author: (() => Promise<string>) | undefined,
  context: RepositoryContext,
): Promise<Reviewers> {
  const { http, repo } = context;
  const [reviewers, team_reviewers] = await allSettledOrThrow([
    resolveUsers(http, repo, typed.filter(isUser), () => currentUser(context)),
    resolveTeams(http, repo.owner, typed.filter(isTeam)),
  ]);
  const login = reviewers.length === 0 ? undefined : (await author?.())?.toLowerCase();
  const own = reviewers.find((one) => one.toLowerCase() === login);
  // Gitea answers 500 to that (docs/server-differences.md, "Pull requests: creating").
  if (own !== undefined)
    throw new Failure("invalid", `Cannot request a review from ${own}, the author of the pull request`);
  return { reviewers, team_reviewers };
}

/** Those of the reviewers that are requested. One who is not must exist, so that a typo is reported. */
export async function requestedReviewers(
  typed: readonly string[],
  pull: PullRequest,
  context: RepositoryContext,
): Promise<Reviewers> {
  const { http, repo } = context;
  const requested = present(pull.requested_reviewers).map(({ login }) => login);
  const teams = present(pull.requested_reviewers_teams).map(({ name }) => name);
  const teamOf = (name: string) => findByName(teams, teamName(name, repo.owner) ?? "", (team) => team);
  const names = await loginsOf(typed, context);
  const absent = names.filter((name) => isTeam(name) && teamOf(name) === undefined);
  const [reviewers] = await allSettledOrThrow([
    usersAmong(requested, names.filter(isUser), context),
    resolveTeams(http, repo.owner, absent),
  ]);
  return { reviewers, team_reviewers: names.filter(isTeam).flatMap((name) => teamOf(name) ?? []) };
}

/** Whether the name of a reviewer is that of a team: `ORG/TEAM`. */
export function isTeam(name: string): boolean {
  return name.includes("/");
}

/** Whether the name of a reviewer is that of a user. */
export function isUser(name: string): boolean {
  return !isTeam(name);
}
