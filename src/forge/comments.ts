import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { Comment } from "./records/comment.ts";
import type { RepoName } from "./repo-name.ts";

/** Comments on issues and pull requests, which share their numbers. Scope `issue`. */
export const comments = (http: Http) => {
  const all = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}/comments`;
  return {
    /** Oldest first; the servers do not page here. */
    list: (repo: RepoName, index: number) => http.list<Comment>(all(repo, index), { unpaged: true }),

    create: (repo: RepoName, index: number, body: string) =>
      http.post(all(repo, index), { body: { body }, answers: json<Comment>() }),
  };
};
