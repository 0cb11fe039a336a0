import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { review } from "./reviews.ts";
import { person } from "./users.ts";

/**
 * A comment on a line of a pull request. `position` is the line in the new file, `original_position` that in the old file;
 * one of them is 0. `resolver` is set on the first comment of a resolved thread.
 */
export const reviewComment = serverRecord(
  "a review comment",
  {
    id: integer,
    body: optional(string),
    user: optional(nullable(person)),
    resolver: optional(nullable(person)),
    pull_request_review_id: optional(integer),
    created_at: optional(time),
    updated_at: time,
    path: optional(string),
    commit_id: string,
    original_commit_id: string,
    diff_hunk: optional(string),
    position: optional(integer),
    original_position: optional(integer),
    html_url: optional(string),
    pull_request_url: string,
  },
  [
    ...(["id", "body", "user", "resolver", "pull_request_review_id", "created_at", "path"] as const),
    ...(["diff_hunk", "position", "original_position", "html_url"] as const),
  ],
);

export type ReviewComment = Infer<typeof reviewComment>;

/** Comments on lines of pull requests. */
export function reviewCommentsApi(http: Http) {
  const since = "1.26";
  return {
    /** The reviews of a pull request, for the number of their comments. */
    reviews: (repo: RepoName, index: number) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/pulls/${index}/reviews`, {
        items: using(review, "id", "comments_count"),
        unique: "id",
      }),

    /** The comments of a review and their replies, in no fixed order and without paging. */
    list: (repo: RepoName, index: number, review: number) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/pulls/${index}/reviews/${review}/comments`, {
        items: reviewComment,
        unpaged: true,
      }),

    reply: (repo: RepoName, index: number, comment: number, body: string) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/pulls/${index}/comments/${comment}/replies`, {
        body: { body },
        answers: json(reviewComment),
        since: "1.27",
      }),

    resolve: (repo: RepoName, comment: number) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/pulls/comments/${comment}/resolve`, { answers: nothing, since }),

    unresolve: (repo: RepoName, comment: number) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/pulls/comments/${comment}/unresolve`, {
        answers: nothing,
        since,
      }),
  };
}
