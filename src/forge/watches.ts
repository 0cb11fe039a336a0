import { exists, json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, boolean, serverRecord, string, time } from "../shape/shape.ts";
import { repository } from "./repos.ts";
import { user } from "./users.ts";

/** The caller's subscription to a repository. */
export const watch = serverRecord(
  "a subscription",
  { subscribed: boolean, ignored: boolean, reason: anything, created_at: time, url: string, repository_url: string },
  ["subscribed"],
);

/** Who watches and who starred a repository, and what a user watches. */
export function watchesApi(http: Http) {
  const own = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/subscription`;
  return {
    watchers: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/subscribers`, { items: user, unique: "id" }),

    stargazers: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/stargazers`, { items: user, unique: "id" }),

    mine: () => http.list(path`/user/subscriptions`, { items: repository, unique: "id" }),

    /** Private repositories are left out, except for the user and administrators. */
    ofUser: (name: string) => http.list(path`/users/${name}/subscriptions`, { items: repository, unique: "id" }),

    /** False also if the caller cannot see the repository. */
    check: (repo: RepoName) => http.get(own(repo), { answers: exists(watch) }),

    add: (repo: RepoName) => http.put(own(repo), { answers: json(watch) }),

    /** 204 also if the caller does not watch it. */
    remove: (repo: RepoName) => http.delete(own(repo), { answers: nothing }),
  };
}
