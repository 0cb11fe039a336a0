import type { RepositoryContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import type { AssigneeChange } from "../../forge/assign.ts";
import type { EditPullRequestOption, PullReviewRequestOptions } from "../../forge/generated/operations.ts";
import type { Label } from "../../forge/labels.ts";
import {
  findByName,
  findLabel,
  resolveLabels,
  resolveMilestone,
  resolveTeams,
  resolveUsers,
  teamName,
  usersAmong,
} from "../../forge/names.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { present } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { pullName } from "./pull.ts";

/** The flags of `pr edit`, as typed. */
export interface EditFlags {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly base?: string | undefined;
  readonly addLabel: readonly string[];
  readonly removeLabel: readonly string[];
  readonly addAssignee: readonly string[];
  readonly removeAssignee: readonly string[];
  readonly addReviewer: readonly string[];
  readonly removeReviewer: readonly string[];
  readonly milestone?: string | undefined;
  readonly noMilestone: boolean;
  readonly due?: string | undefined;
  readonly noDue: boolean;
  readonly maintainerEdit?: boolean | undefined;
}

/** The changes to send: only what differs from the pull request. */
export interface EditPlan {
  readonly base: string | undefined;
  readonly maintainerEdit: boolean | undefined;
  readonly fields: EditPullRequestOption;
  readonly clearMilestone: boolean;
  readonly addLabels: readonly Label[];
  readonly removeLabels: readonly Label[];
  readonly assignees: AssigneeChange;
  readonly requestReviewers: PullReviewRequestOptions | undefined;
  readonly removeReviewers: PullReviewRequestOptions | undefined;
}

/** Throws if a label, milestone or user in the flags is unknown, whatever the pull request. */
export async function checkNames(context: RepositoryContext, flags: EditFlags): Promise<void> {
  const { http, repo } = context;
  const login = () => currentUser(context);
  await allSettledOrThrow([
    resolveLabels(http, repo, flags.addLabel),
    // One by one: labels that exclude each other can be removed together.
    ...flags.removeLabel.map((name) => resolveLabels(http, repo, [name])),
    flags.milestone === undefined ? undefined : resolveMilestone(http, repo, flags.milestone),
    resolveUsers(http, repo, flags.addAssignee, login),
    resolveUsers(http, repo, flags.addReviewer.filter(isUser), login),
  ]);
}

/**
 * Resolves every name and drops the changes that are already made; review requests are sent as they are, because the
 * servers ignore those that were made before. Throws before anything is sent.
 */
export async function planEdit(context: RepositoryContext, pull: PullRequest, flags: EditFlags): Promise<EditPlan> {
  const { http, repo } = context;
  const login = () => currentUser(context);
  const people = (names: readonly string[]) => resolveUsers(http, repo, names, login);
  const current = present(pull.labels);
  const assigned = present(pull.assignees).map(({ login }) => login);

  const [addLabels, removeLabels, milestone, addPeople, removePeople, requestReviewers, removeReviewers] =
    await allSettledOrThrow([
      resolveLabels(http, repo, flags.addLabel),
      labelsToRemove(context, pull, flags.removeLabel),
      flags.milestone === undefined ? undefined : resolveMilestone(http, repo, flags.milestone),
      people(flags.addAssignee),
      loginsOf(context, flags.removeAssignee).then((names) => usersAmong(assigned, names, context)),
      reviewersToRequest(context, pull, flags.addReviewer),
      reviewersToRemove(context, pull, flags.removeReviewer),
    ]);
  const due = pull.due_date ? Date.parse(pull.due_date) : undefined;
  return {
    base: flags.base === pull.base?.ref ? undefined : flags.base,
    maintainerEdit: flags.maintainerEdit === pull.allow_maintainer_edit ? undefined : flags.maintainerEdit,
    fields: {
      ...(flags.title === undefined || flags.title === pull.title ? {} : { title: flags.title }),
      // With the version that was read, so that a later change by someone else is not overwritten.
      ...(flags.body === undefined || flags.body === pull.body
        ? {}
        : { body: flags.body, content_version: pull.content_version }),
      ...(milestone === undefined || milestone.id === pull.milestone?.id ? {} : { milestone: milestone.id }),
      ...(flags.due === undefined || Date.parse(flags.due) === due ? {} : { due_date: flags.due }),
      ...(flags.noDue && pull.due_date ? { unset_due_date: true as const } : {}),
    },
    clearMilestone: flags.noMilestone && pull.milestone != null,
    addLabels: addLabels.filter(({ id }) => !current.some((label) => label.id === id)),
    removeLabels,
    assignees: {
      add: addPeople.filter((login) => findByName(assigned, login, (one) => one) === undefined),
      remove: removePeople,
    },
    requestReviewers,
    removeReviewers,
  };
}

/** The labels to remove. A label that the pull request does not have must exist, so that a typo is reported. */
async function labelsToRemove(
  context: RepositoryContext,
  pull: PullRequest,
  typed: readonly string[],
): Promise<Label[]> {
  const { http, repo } = context;
  const on = `on ${pullName(context, pull.number)}`;
  const found = typed.map((name) => findLabel(present(pull.labels), name, on));
  await resolveLabels(
    http,
    repo,
    typed.filter((_, index) => found[index] === undefined),
  );
  return found.flatMap((label) => label ?? []);
}

/** The reviewers to request: users, and teams as `ORG/TEAM`. Undefined if there are none. */
async function reviewersToRequest(
  context: RepositoryContext,
  pull: PullRequest,
  typed: readonly string[],
): Promise<PullReviewRequestOptions | undefined> {
  if (typed.length === 0) return undefined;
  const { http, repo } = context;
  const [reviewers, team_reviewers] = await allSettledOrThrow([
    resolveUsers(http, repo, typed.filter(isUser), () => currentUser(context)),
    resolveTeams(http, repo.owner, typed.filter(isTeam)),
  ]);
  rejectSelfReview(reviewers, pull.user?.login);
  return { reviewers, team_reviewers };
}

/** The requested reviewers to remove. One who is not requested must exist. Undefined if there are none. */
async function reviewersToRemove(
  context: RepositoryContext,
  pull: PullRequest,
  typed: readonly string[],
): Promise<PullReviewRequestOptions | undefined> {
  const { http, repo } = context;
  const requested = present(pull.requested_reviewers).map(({ login }) => login);
  const teams = present(pull.requested_reviewers_teams).map(({ name }) => name);
  const findTeam = (name: string) => findByName(teams, teamName(name, repo.owner) ?? "", (team) => team);
  const names = await loginsOf(context, typed);
  const [reviewers] = await allSettledOrThrow([
    usersAmong(requested, names.filter(isUser), context),
    resolveTeams(
      http,
      repo.owner,
      names.filter((name) => isTeam(name) && findTeam(name) === undefined),
    ),
  ]);
  const team_reviewers = names.filter(isTeam).flatMap((name) => findTeam(name) ?? []);
  return reviewers.length + team_reviewers.length === 0 ? undefined : { reviewers, team_reviewers };
}

/** The names, with the caller's for `@me`. */
function loginsOf(context: RepositoryContext, typed: readonly string[]): Promise<string[]> {
  return allSettledOrThrow(typed.map((name) => (name === "@me" ? currentUser(context) : name)));
}

/** Whether the name of a reviewer is that of a team: `ORG/TEAM`. */
export function isTeam(name: string): boolean {
  return name.includes("/");
}

export function isUser(name: string): boolean {
  return !isTeam(name);
}

/** Gitea answers 500 to a review request for the author (docs/server-differences.md, "Pull requests: creating"). */
export function rejectSelfReview(reviewers: readonly string[], author: string | undefined): void {
  const own = reviewers.find((login) => login.toLowerCase() === author?.toLowerCase());
  if (own === undefined) return;
  throw new Failure("invalid", `Cannot request a review from ${own}, the author of the pull request`);
}
