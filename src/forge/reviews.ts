import type { Http } from "../http/client.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  listedRecord,
  nullable,
  optional,
  string,
  time,
  using,
  words,
} from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { isKnownToHave } from "./server-has.ts";
import { team } from "./teams.ts";
import { fieldsOf, listOf, notUndone, recordHas, unchanged, undoMembers, undoToggle } from "./undo.ts";
import { person } from "./users.ts";

/** A review of a pull request. */
export const review = listedRecord(
  "a review",
  {
    id: integer,
    user: optional(nullable(person)),
    team: optional(nullable(using(team, "name"))),
    state: optional(words("APPROVED", "REQUEST_CHANGES", "COMMENT", "PENDING", "REQUEST_REVIEW")),
    body: optional(string),
    stale: optional(boolean),
    official: optional(boolean),
    dismissed: optional(boolean),
    comments_count: optional(integer),
    submitted_at: optional(time),
    html_url: optional(string),
    commit_id: optional(string),
  },
  { updated_at: time, pull_request_url: string },
);

export type Review = Infer<typeof review>;

/**
 * Oldest first; the total includes other users' pending reviews, which are not listed
 * (docs/server-differences.md, "Reviews").
 */
export const reviewList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/reviews", {
  answers: pagesOf(review),
});

export const reviewGet = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}", {
  answers: review,
});

const submitted = "a review that was submitted stays: dismiss it instead";

/**
 * With any event but `APPROVED`, `REQUEST_CHANGES` and `COMMENT` the review stays pending. One's pending review is continued. A
 * comment is on a line of the new file, or of the old one; with `extra_lines_count`, on that many lines after it, too.
 */
export const reviewCreate = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/reviews", {
  answers: review,
  undo: notUndone(submitted, {
    why: ({ body }) =>
      fieldsOf(body)["event"] === "PENDING"
        ? "it keeps a pending review: delete it instead with tongs pr review delete"
        : undefined,
  }),
  arrives: { since: "updated_at" },
  applied: {
    names: { event: "state" },
    except: { comments: "the answer counts them", commit_id: "can be shortened" },
  },
});

/** Whether the server is known to have comments on several lines: others ignore how many. */
export async function takesSeveralLines(http: Http): Promise<boolean> {
  const { recordFieldSince } = await import("./facts.ts");
  return isKnownToHave(http, recordFieldSince("CreatePullReviewComment", "extra_lines_count") ?? {});
}

/** Only one's own pending review. */
export const reviewSubmit = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}", {
  answers: review,
  undo: submitted,
  arrives: {},
  applied: { names: { event: "state" } },
});

const isDismissed = recordHas(
  "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}",
  ({ dismissed }) => dismissed === true,
);

/** Only approvals and rejections; needs administration rights for the repository. */
export const reviewDismiss = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissals", {
  answers: review,
  undo: undoToggle({ by: "POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/undismissals", state: isDismissed }),
  applied: { except: { message: "a comment of its own", priors: "other reviews" } },
});

export const reviewUndismiss = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/undismissals", {
  answers: review,
  undo: undoToggle({
    by: "POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissals",
    adds: false,
    state: isDismissed,
  }),
});

/** Only by its author and site administrators. */
export const reviewDelete = operation("DELETE", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}", {});

const pull = "/repos/{owner}/{repo}/pulls/{index}";
const reviewers = { reviewers: "requested_reviewers", team_reviewers: "requested_reviewers_teams" };
const requested = undoMembers(reviewers, { at: pull });

/** Adds review requests and returns the new ones; teams of the owner are ignored in a repository of a user. */
export const reviewerRequest = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/requested_reviewers", {
  answers: list(anything),
  undo: {
    ...requested,
    // Who gave a review is asked again, and was among the reviewers before.
    inverse(past) {
      const found = requested.inverse(past);
      const isAgain = found === unchanged && listOf(past.after).length > 0;
      return isAgain ? "a review that was given was asked for again" : found;
    },
  },
});

export const reviewerRemove = operation("DELETE", "/repos/{owner}/{repo}/pulls/{index}/requested_reviewers", {
  undo: undoMembers(reviewers, { at: pull, by: "POST" }),
});
