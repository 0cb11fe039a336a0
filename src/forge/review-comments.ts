import { nothing } from "../http/answers.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { review } from "./reviews.ts";
import { cannot } from "./undo.ts";
import { person, user } from "./users.ts";

/**
 * A comment on a line of a pull request. `position` is the line in the new file, `original_position` that in the old file;
 * one of them is 0. `resolver` is set on the first comment of a resolved thread.
 */
export const reviewComment = serverRecord(
  "a review comment",
  {
    id: integer,
    body: optional(string),
    user: optional(nullable(using(user, "login", "full_name", "email"))),
    resolver: optional(nullable(person)),
    pull_request_review_id: optional(integer),
    created_at: optional(time),
    path: optional(string),
    diff_hunk: optional(string),
    position: optional(integer),
    original_position: optional(integer),
    /** Forgejo 16: how many lines after that one it is about, too. */
    extra_lines_count: optional(integer),
    html_url: optional(string),
  },
  { updated_at: time, commit_id: string, original_commit_id: string, pull_request_url: string },
);

export type ReviewComment = Infer<typeof reviewComment>;

const missing = "Review comment {id}";

/** The reviews of a pull request, for the number of their comments. */
export const reviewCountList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/reviews", {
  answers: pagesOf(using(review, "id", "comments_count"), { unique: "id" }),
  missing: "Pull request #{index}",
});

/** The comments of a review and their replies, in no fixed order and without paging. */
export const reviewCommentList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments", {
  answers: pagesOf(reviewComment, { unpaged: true }),
  missing: "Review {id} of pull request #{index}",
});

export const reviewCommentReply = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies", {
  answers: reviewComment,
  missing,
  undo: cannot.create,
});

export const reviewCommentResolve = operation("POST", "/repos/{owner}/{repo}/pulls/comments/{id}/resolve", {
  answers: nothing,
  missing,
  undo: "reopen the conversation instead",
});

export const reviewCommentUnresolve = operation("POST", "/repos/{owner}/{repo}/pulls/comments/{id}/unresolve", {
  answers: nothing,
  missing,
  undo: "resolve the conversation again instead",
});
