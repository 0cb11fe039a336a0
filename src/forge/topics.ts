import { nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { string } from "../shape/shape.ts";

/** Topics of repositories: stored in lower case and sorted, at most 25. */
export function topicsApi(http: Http) {
  return {
    list: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/topics`, { items: string, envelope: "topics" }),

    /** Replaces all topics. */
    set: (repo: RepoName, names: readonly string[]) =>
      http.put(path`/repos/${repo.owner}/${repo.name}/topics`, { body: { topics: names }, answers: nothing }),

    /** 204 also if the repository has it. */
    add: (repo: RepoName, topic: string) =>
      http.put(path`/repos/${repo.owner}/${repo.name}/topics/${topic}`, { answers: nothing }),

    /** 404 if the repository does not have it. */
    remove: (repo: RepoName, topic: string) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/topics/${topic}`, { answers: nothing }),
  };
}
