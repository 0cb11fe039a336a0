import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
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
import { team } from "./teams.ts";
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
    commit_id: string,
    stale: optional(boolean),
    official: optional(boolean),
    dismissed: optional(boolean),
    comments_count: optional(integer),
    submitted_at: optional(time),
    updated_at: time,
    html_url: optional(string),
    pull_request_url: string,
  },
  ["user", "team", "state", "body", "stale", "official", "dismissed", "comments_count", "submitted_at", "html_url"],
);

export type Review = Infer<typeof review>;

/** The body of `POST …/reviews`; with any other event the review stays pending. */
export interface CreateReviewOption {
  readonly event: "APPROVED" | "REQUEST_CHANGES" | "COMMENT";
  readonly body?: string | undefined;
  readonly comments?: readonly CreateReviewComment[] | undefined;
}

/** A comment on a line of the new file, or of the old one. */
export interface CreateReviewComment {
  readonly path: string;
  readonly body: string;
  readonly new_position?: number;
  readonly old_position?: number;
}

/** Reviews of pull requests. */
export function reviewsApi(http: Http) {
  const all = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/pulls/${index}/reviews`;
  const one = (repo: RepoName, index: number, id: number, part = "") =>
    wildcard(all(repo, index), part === "" ? `${id}` : `${id}/${part}`);
  return {
    /**
     * Oldest first; the total includes other users' pending reviews, which are not listed
     * (docs/server-differences.md, "Reviews").
     */
    list: (repo: RepoName, index: number) => http.list(all(repo, index), { items: review, unique: "id" }),

    create: (repo: RepoName, index: number, body: CreateReviewOption) =>
      http.post(all(repo, index), { body, answers: json(review) }),

    /** Only approvals and rejections; needs administration rights for the repository. */
    dismiss: (repo: RepoName, index: number, id: number, message: string) =>
      http.post(one(repo, index, id, "dismissals"), { body: { message }, answers: json(review) }),

    undismiss: (repo: RepoName, index: number, id: number) =>
      http.post(one(repo, index, id, "undismissals"), { answers: json(review) }),

    /** Only by its author and site administrators. */
    delete: (repo: RepoName, index: number, id: number) => http.delete(one(repo, index, id), { answers: nothing }),
  };
}

/** Reviewers: login names, and names of teams of the owner. */
export interface Reviewers {
  readonly reviewers?: readonly string[];
  readonly team_reviewers?: readonly string[];
}

/** Review requests of a pull request. */
export function reviewersApi(http: Http) {
  const all = (repo: RepoName, index: number) =>
    path`/repos/${repo.owner}/${repo.name}/pulls/${index}/requested_reviewers`;
  return {
    /** Adds review requests and returns the new ones; teams are ignored in a repository of a user. */
    request: (repo: RepoName, index: number, body: Reviewers) =>
      http.post(all(repo, index), { body, answers: json(list(anything)) }),

    /** Removes review requests. */
    remove: (repo: RepoName, index: number, body: Reviewers) =>
      http.delete(all(repo, index), { body, answers: nothing }),
  };
}
