import { nothing } from "../http/answers.ts";
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
import { team } from "./teams.ts";
import { person } from "./users.ts";

/** A review of a pull request. */
export const review = listedRecord(
  "a review",
  {
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
  },
  { id: integer, commit_id: string, updated_at: time, pull_request_url: string },
);

export type Review = Infer<typeof review>;

const missing = "Review {id} of pull request #{index}";
const missingPull = "Pull request #{index}";

/**
 * Oldest first; the total includes other users' pending reviews, which are not listed
 * (docs/server-differences.md, "Reviews").
 */
export const reviewList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/reviews", {
  answers: pagesOf(review, { unique: "id" }),
  missing: missingPull,
});

/**
 * With any event but `APPROVED`, `REQUEST_CHANGES` and `COMMENT` the review stays pending. A comment is on a line of the new
 * file, or of the old one.
 */
export const reviewCreate = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/reviews", {
  answers: review,
  missing: missingPull,
  applied: {
    except: { comments: "the answer counts them", event: "the state of the answer", commit_id: "can be shortened" },
  },
});

/** Only approvals and rejections; needs administration rights for the repository. */
export const reviewDismiss = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissals", {
  answers: review,
  missing,
  applied: { except: { message: "a comment of its own", priors: "other reviews" } },
});

export const reviewUndismiss = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/undismissals", {
  answers: review,
  missing,
});

/** Only by its author and site administrators. */
export const reviewDelete = operation("DELETE", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}", {
  answers: nothing,
  missing,
});

/** Adds review requests and returns the new ones; teams of the owner are ignored in a repository of a user. */
export const reviewerRequest = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/requested_reviewers", {
  answers: list(anything),
  missing: missingPull,
});

export const reviewerRemove = operation("DELETE", "/repos/{owner}/{repo}/pulls/{index}/requested_reviewers", {
  answers: nothing,
  missing: missingPull,
});
