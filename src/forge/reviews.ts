import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { CreateReviewOption, Review } from "./records/review.ts";
import type { RepoName } from "./repo-name.ts";

/** Reviews of pull requests (api-facts 3.5.4). */
export const reviews = (http: Http) => {
  const all = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/pulls/${index}/reviews`;
  return {
    /** Oldest first; others' pending ones are counted in the total but not shown. */
    list: (repo: RepoName, index: number) => http.list<Review>(all(repo, index), { unique: "id" }),

    create: (repo: RepoName, index: number, body: CreateReviewOption) =>
      http.post(all(repo, index), { body, answers: json<Review>() }),
  };
};
