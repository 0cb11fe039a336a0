import type { PullReviewRequestOptions } from "../../forge/generated/operations.ts";
import { reviewerRemove, reviewerRequest } from "../../forge/reviews.ts";
import { accessTo } from "../http/access.ts";
import { empty, json, notFound, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { isOfficial, newReview, reviewsOf } from "../pulls/reviews.ts";
import { reviewJson } from "../serializers/pulls.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { TeamRecord, UserRecord } from "../state/records/accounts.ts";
import type { PullRecord, ReviewRecord } from "../state/records/issues.ts";
import { findPull, pullNotFound, writing } from "./pull-shared.ts";

/** Users and teams to request reviews from. */
export interface Reviewers {
  readonly people: readonly UserRecord[];
  readonly teams: readonly TeamRecord[];
}

/** Review requests: requesting and withdrawing reviews by users and teams. */
export const reviewRequests: Area = {
  routes: [
    route(reviewerRequest, writing, (call) => {
      const { pull, reviewers } = checkRequest(call);
      if (pull.state === "closed" && reviewers.people.length > 0) {
        refuse(403, "cannot request a re-review on a closed or merged PR");
      }
      const made = requestReviews(call.site, pull, reviewers);
      return json(
        201,
        made.map((review) => reviewJson(call, review)),
      );
    }),
    route(reviewerRemove, writing, withdraw),
  ],
};

function checkRequest(call: Call<typeof writing, PullReviewRequestOptions>): {
  readonly pull: PullRecord;
  readonly reviewers: Reviewers;
} {
  const { site, repo, currentUser, access, body } = call;
  const pull = findPull(call, pullNotFound(repo.id));
  const reviewers = resolveReviewers(call, body.reviewers ?? [], body.team_reviewers ?? []);
  const refused = (why: string) => refuse(422, `${why} [user_id: ${currentUser.id}, repo_id: ${repo.id}]`);
  const mayChoose = !repo.archived && (access.atLeast("write", "pulls") || pull.posterId === currentUser.id);
  const isAdding = call.method === "POST";
  for (const user of reviewers.people) {
    if (isAdding && !accessTo(site, user, repo).atLeast("read", "pulls")) refused("Reviewer can't read");
    if (isAdding && user.id === pull.posterId) refused("poster of pr can't be reviewer");
    const isOwnRequest = !isAdding && user.id === currentUser.id;
    if (!mayChoose && !isOwnRequest) refused(`Doer can't ${isAdding ? "choose" : "remove"} reviewer`);
  }
  if (reviewers.teams.length > 0 && !mayChoose) refused(`Doer can't ${isAdding ? "choose" : "remove"} reviewer`);
  return { pull, reviewers };
}

/**
 * Resolves users by name or email address and teams by name. Teams are ignored if a user owns the repository. Throws
 * 404 for an unknown name.
 */
export function resolveReviewers(
  { site, owner }: Pick<Call<typeof writing>, "site" | "owner">,
  names: readonly string[],
  teamNames: readonly string[],
): Reviewers {
  const people = names.map((name) => {
    const byMail = (user: UserRecord) => user.kind === "person" && user.email.toLowerCase() === name.toLowerCase();
    const user = name.includes("@") ? site.table("users").find(byMail) : userNamed(site.store, name);
    return user ?? notFound(`user doesn't exist: ${name}`);
  });
  if (owner.kind !== "organization") return { people, teams: [] };
  const teams = teamNames.map((name) => {
    const isMeant = (team: TeamRecord) => team.orgId === owner.id && team.name.toLowerCase() === name.toLowerCase();
    return site.table("teams").find(isMeant) ?? notFound(`team doesn't exist: ${name}`);
  });
  return { people, teams };
}

const isOpenRequest = (review: ReviewRecord) => review.state === "REQUEST_REVIEW";

/** Adds missing review requests. Earlier official reviews of requested users no longer count. */
export function requestReviews(site: Site, pull: PullRecord, { people, teams }: Reviewers): ReviewRecord[] {
  const { store } = site;
  const known = reviewsOf(store, pull.repoId, pull.index);
  const place = { repoId: pull.repoId, index: pull.index, state: "REQUEST_REVIEW" } as const;
  const ofPeople = people
    .filter(({ id }) => !known.some((review) => isOpenRequest(review) && review.userId === id))
    .map((user) => {
      const official = isOfficial(site, pull, user);
      for (const review of known.filter((one) => official && one.userId === user.id && one.official)) {
        store.table("reviews").put({ ...review, official: false });
      }
      return newReview(site, { ...place, userId: user.id, official });
    });
  const ofTeams = teams
    .filter(({ id }) => !known.some((review) => review.teamId === id))
    .map((team) => newReview(site, { ...place, teamId: team.id }));
  return [...ofPeople, ...ofTeams];
}

/** Withdraws requests. A reviewer without a request is ignored. An earlier approval or change request counts again. */
function withdraw(call: Call<typeof writing, PullReviewRequestOptions>): Reply {
  const { store } = call.site;
  const { pull, reviewers } = checkRequest(call);
  const isNamed = ({ userId, teamId }: ReviewRecord) =>
    reviewers.people.some(({ id }) => id === userId) || reviewers.teams.some(({ id }) => id === teamId);
  for (const review of reviewsOf(store, pull.repoId, pull.index)) {
    if (!isOpenRequest(review) || !isNamed(review)) continue;
    store.table("reviews").delete(review.id);
    const verdicts = reviewsOf(store, pull.repoId, pull.index).filter(
      (one) => one.userId === review.userId && (one.state === "APPROVED" || one.state === "REQUEST_CHANGES"),
    );
    const last = verdicts.at(-1);
    if (last && review.official) store.table("reviews").put({ ...last, official: true });
  }
  return empty(204);
}
