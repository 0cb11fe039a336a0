import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { Commit } from "./records/commit.ts";
import type { RepoName } from "./repo-name.ts";

/** The commits between two points, newest first; all of them, there is no paging. */
export interface Comparison {
  readonly total_commits: number;
  readonly commits: readonly Commit[] | null;
}

/** Commits. */
export const commits = (http: Http) => ({
  /** By any name that git knows; a shortened hash is answered with the whole one. */
  get: (repo: RepoName, ref: string) =>
    http.get(path`/repos/${repo.owner}/${repo.name}/git/commits/${ref}`, {
      query: { stat: false, files: false, verification: false },
      answers: json<Commit>(),
    }),

  /** What `head` (`branch`, `owner:branch` or a hash) has since it left `base` (api-facts 3.6.4). */
  compare: (repo: RepoName, base: string, head: string, query: { readonly files?: boolean } = {}) =>
    http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/compare`, `${base}...${head}`), {
      query: { verification: false, ...query },
      answers: json<Comparison>(),
    }),
});
