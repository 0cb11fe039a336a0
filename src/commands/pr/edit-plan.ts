import type { RepositoryContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import type { AssigneeChange } from "../../forge/assign.ts";
import type { Label } from "../../forge/labels.ts";
import { byName, labelsNamed, milestoneNamed, peopleNamed, teamsNamed } from "../../forge/names.ts";
import type { EditPullRequestOption, PullRequest } from "../../forge/pulls.ts";
import type { Reviewers } from "../../forge/reviews.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";

/** What was asked for, as typed. */
export interface EditWish {
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

/** What is to be sent: only what differs from what the pull request has. */
export interface EditPlan {
  readonly base: string | undefined;
  readonly maintainerEdit: boolean | undefined;
  readonly fields: EditPullRequestOption;
  readonly clearMilestone: boolean;
  readonly addLabels: readonly Label[];
  readonly removeLabels: readonly Label[];
  readonly assignees: AssigneeChange;
  readonly request: Reviewers | undefined;
  readonly withdraw: Reviewers | undefined;
}

/** Resolves every name and leaves out what is so already. Throws before anything is sent. */
export async function planEdit(context: RepositoryContext, pull: PullRequest, wish: EditWish): Promise<EditPlan> {
  const { forge, repo } = context;
  const who = () => currentUser(context);
  const people = (names: readonly string[]) => peopleNamed(forge, repo, names, who);
  const carried = pull.labels ?? [];
  const assigned = (pull.assignees ?? []).map(({ login }) => login.toLowerCase());
  const isAssigned = (login: string) => assigned.includes(login.toLowerCase());

  const [addLabels, removeLabels, milestone, addPeople, removePeople, request, withdraw] = await allSettledOrThrow([
    labelsNamed(forge, repo, wish.addLabel),
    carriedLabels(context, carried, wish.removeLabel),
    wish.milestone === undefined ? undefined : milestoneNamed(forge, repo, wish.milestone),
    people(wish.addAssignee),
    allSettledOrThrow(wish.removeAssignee.map((name) => (name === "@me" ? who() : name))),
    reviewersNamed(context, pull, wish.addReviewer),
    requestedReviewers(context, pull, wish.removeReviewer),
  ]);
  const due = pull.due_date ? Date.parse(pull.due_date) : undefined;
  return {
    base: wish.base === pull.base?.ref ? undefined : wish.base,
    maintainerEdit: wish.maintainerEdit === pull.allow_maintainer_edit ? undefined : wish.maintainerEdit,
    fields: {
      ...(wish.title === undefined || wish.title === pull.title ? {} : { title: wish.title }),
      // The version of the text that was read: whoever changed it since is not overwritten.
      ...(wish.body === undefined || wish.body === pull.body
        ? {}
        : { body: wish.body, content_version: pull.content_version }),
      ...(milestone === undefined || milestone.id === pull.milestone?.id ? {} : { milestone: milestone.id }),
      ...(wish.due === undefined || Date.parse(wish.due) === due ? {} : { due_date: wish.due }),
      ...(wish.noDue && pull.due_date ? { unset_due_date: true as const } : {}),
    },
    clearMilestone: wish.noMilestone && pull.milestone != null,
    addLabels: addLabels.filter(({ id }) => !carried.some((label) => label.id === id)),
    removeLabels,
    assignees: {
      add: addPeople.filter((login) => !isAssigned(login)),
      remove: removePeople.filter(isAssigned),
    },
    request,
    withdraw,
  };
}

/** Those of the labels that it carries; the others must at least exist, so that a slip of the pen is told. */
async function carriedLabels(
  { forge, repo }: RepositoryContext,
  carried: readonly Label[],
  typed: readonly string[],
): Promise<Label[]> {
  const found = typed.map((name) => byName(carried, name, (label) => label.name));
  await labelsNamed(
    forge,
    repo,
    typed.filter((_, index) => found[index] === undefined),
  );
  return found.flatMap((label) => label ?? []);
}

/** Users, and `ORG/TEAM` for teams, to be asked for a review. Undefined when there are none. */
async function reviewersNamed(
  context: RepositoryContext,
  pull: PullRequest,
  typed: readonly string[],
): Promise<Reviewers | undefined> {
  if (typed.length === 0) return undefined;
  const { forge, repo } = context;
  const [reviewers, team_reviewers] = await allSettledOrThrow([
    peopleNamed(forge, repo, typed.filter(isUser), () => currentUser(context)),
    teamsNamed(forge, repo.owner, typed.filter(isTeam)),
  ]);
  refuseAuthor(reviewers, pull.user?.login);
  return { reviewers, team_reviewers };
}

/** Those who are asked for a review and shall no longer be. Undefined when there are none. */
async function requestedReviewers(
  context: RepositoryContext,
  pull: PullRequest,
  typed: readonly string[],
): Promise<Reviewers | undefined> {
  const names = await allSettledOrThrow(typed.map((name) => (name === "@me" ? currentUser(context) : name)));
  const reviewers = names.filter(isUser).flatMap((name) => {
    return byName(pull.requested_reviewers ?? [], name, ({ login }) => login)?.login ?? [];
  });
  const team_reviewers = names.filter(isTeam).flatMap((name) => {
    const team = name.replace(/^[^/]*\//, "");
    return byName(pull.requested_reviewers_teams ?? [], team, (known) => known.name)?.name ?? [];
  });
  return reviewers.length + team_reviewers.length === 0 ? undefined : { reviewers, team_reviewers };
}

function isTeam(name: string): boolean {
  return name.includes("/");
}

function isUser(name: string): boolean {
  return !isTeam(name);
}

/** Gitea creates the pull request and fails with 500 when its author shall review it (api-facts 3.5.3). */
export function refuseAuthor(reviewers: readonly string[], author: string | undefined): void {
  const own = reviewers.find((login) => login.toLowerCase() === author?.toLowerCase());
  if (own === undefined) return;
  throw new Failure("invalid", "invalid", `${own} cannot review a pull request of their own`);
}
