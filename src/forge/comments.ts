import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { person } from "./users.ts";

/** A comment on an issue or a pull request. */
export const comment = serverRecord(
  "a comment",
  {
    id: integer,
    html_url: optional(string),
    pull_request_url: string,
    issue_url: string,
    user: optional(nullable(person)),
    original_author: optional(string),
    original_author_id: integer,
    body: optional(string),
    assets: optional(nullable(list(anything))),
    created_at: optional(time),
    updated_at: time,
  },
  ["html_url", "user", "original_author", "body", "created_at"],
);

export type Comment = Infer<typeof comment>;

/** Comments on issues and pull requests. Scope `issue`. */
export const comments = (http: Http) => {
  const all = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}/comments`;
  return {
    /** Oldest first, without paging. */
    list: (repo: RepoName, index: number) => http.list(all(repo, index), { items: comment, unpaged: true }),

    create: (repo: RepoName, index: number, body: string) =>
      http.post(all(repo, index), { body: { body }, answers: json(comment) }),
  };
};
