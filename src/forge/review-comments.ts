import { type Infer, integer, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { review } from "./reviews.ts";
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
    commit_id: optional(string),
  },
  { updated_at: time, original_commit_id: string, pull_request_url: string },
);

export type ReviewComment = Infer<typeof reviewComment>;

/** Lines of a file, from 1; 0 if there are none. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The new lines of the hunk of a comment, without their signs; the last is the last line that it is about. */
export function hunkLines({ diff_hunk: hunk = "" }: ReviewComment): readonly string[] {
  const [head = "", ...lines] = hunk.split("\n");
  const all = head.startsWith("@@") ? lines : [head, ...lines];
  return all.filter((line) => line !== "" && !/^[-\\]/.test(line)).map((line) => line.slice(1));
}

/**
 * The lines of the new file that a comment is about, by the head that it was made at. Where `position` is the line in
 * `commit_id` (Forgejo 16), its hunk says them (docs/server-differences.md, "Reviews").
 */
export function commentedLines(comment: ReviewComment): LineRange {
  const { position = 0, extra_lines_count: extra = 0, diff_hunk: hunk = "" } = comment;
  if (position === 0) return { first: 0, last: 0 };
  if (positionCommit(comment) === undefined) return { first: position, last: position + extra };
  const start = Number(/^@@ -\S+ \+(\d+)/.exec(hunk)?.[1] ?? 0);
  const shown = hunkLines(comment).length;
  const last = start > 0 && shown > 0 ? start + shown - 1 : position + extra;
  return { first: last - extra, last };
}

/** The commit whose lines `position` counts, where the server keeps it: the one that wrote the line (Forgejo 16). */
function positionCommit({ commit_id: commit, extra_lines_count: extra }: ReviewComment): string | undefined {
  return extra === undefined || !commit ? undefined : commit;
}

/** The reviews of a pull request, for the number of their comments, and the head in which the lines of those count. */
export const reviewCountList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/reviews", {
  answers: pagesOf(using(review, "id", "comments_count", "commit_id")),
});

/** The comments of a review and their replies, in no fixed order and without paging. */
export const reviewCommentList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments", {
  answers: pagesOf(reviewComment, { unpaged: true }),
});

export const reviewCommentReply = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies", {
  answers: reviewComment,
});

export const reviewCommentResolve = operation("POST", "/repos/{owner}/{repo}/pulls/comments/{id}/resolve", {
  undo: "reopen the conversation instead: tongs pr thread unresolve",
});

export const reviewCommentUnresolve = operation("POST", "/repos/{owner}/{repo}/pulls/comments/{id}/unresolve", {
  undo: "resolve the conversation again instead: tongs pr thread resolve",
});
