import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, type Infer, integer, list, nullable, optional, record, string, time } from "../shape/shape.ts";
import { user } from "./users.ts";

/** A comment on an issue or a pull request. */
export const comment = record({
  id: integer,
  html_url: string,
  pull_request_url: string,
  issue_url: string,
  user: nullable(user),
  original_author: string,
  original_author_id: integer,
  body: string,
  assets: optional(nullable(list(anything))),
  created_at: time,
  updated_at: time,
});

export type Comment = Infer<typeof comment>;

/** Comments on issues and pull requests. Scope `issue`. */
export const comments = (http: Http) => {
  const all = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}/comments`;
  return {
    /** Oldest first, without paging. */
    list: (repo: RepoName, index: number) => http.list<Comment>(all(repo, index), { unpaged: true }),

    create: (repo: RepoName, index: number, body: string) =>
      http.post(all(repo, index), { body: { body }, answers: json<Comment>() }),
  };
};
