import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "./repo-name.ts";

/** Whom to ask for a review: names of users, names of the owner's teams. */
export interface Reviewers {
  readonly reviewers?: readonly string[];
  readonly team_reviewers?: readonly string[];
}

/** Requests for reviews of a pull request (api-facts 3.5.4). Both add to or take from what there is. */
export const reviewers = (http: Http) => {
  const all = (repo: RepoName, index: number) =>
    path`/repos/${repo.owner}/${repo.name}/pulls/${index}/requested_reviewers`;
  return {
    /** Answers with the new requests only; teams in a user's repository are ignored. */
    request: (repo: RepoName, index: number, body: Reviewers) =>
      http.post(all(repo, index), { body, answers: json<unknown[]>() }),

    withdraw: (repo: RepoName, index: number, body: Reviewers) =>
      http.delete(all(repo, index), { body, answers: nothing }),
  };
};
