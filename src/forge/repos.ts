import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { CreateRepoOption, Repository } from "./records/repository.ts";
import type { User } from "./records/user.ts";
import type { RepoName } from "./repo-name.ts";

/** Repositories (api-facts 3.6.20). */
export const repos = (http: Http) => ({
  get: (repo: RepoName) => http.get(path`/repos/${repo.owner}/${repo.name}`, { answers: json<Repository>() }),

  ofUser: (user: string) => http.list<Repository>(path`/users/${user}/repos`, { unique: "id" }),

  mine: () => http.list<Repository>(path`/user/repos`, { unique: "id" }),

  create: (body: CreateRepoOption) => http.post(path`/user/repos`, { body, answers: json<Repository>() }),

  createInOrg: (org: string, body: CreateRepoOption) =>
    http.post(path`/orgs/${org}/repos`, { body, answers: json<Repository>() }),

  /** Who may be assigned to its issues and pull requests; the server does not page here. */
  assignable: (repo: RepoName) => http.list<User>(path`/repos/${repo.owner}/${repo.name}/assignees`, { unpaged: true }),

  delete: (repo: RepoName) => http.delete(path`/repos/${repo.owner}/${repo.name}`, { answers: nothing }),
});
