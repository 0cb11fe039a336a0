import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, serverRecord, string } from "../shape/shape.ts";
import { repository } from "./repos.ts";

/** The body of `POST …/forks`. */
export interface CreateForkOption {
  readonly organization?: string | undefined;
  readonly name?: string | undefined;
}

/** The result of a fork sync: `up-to-date`, `fast-forward` or `merge`. */
export const syncResult = serverRecord("the result of a fork sync", { merge_type: string }, ["merge_type"]);

export type SyncResult = Infer<typeof syncResult>;

/** How a fork's branch differs from its parent, on Forgejo. */
const syncInfo = serverRecord(
  "the state of a fork",
  { allowed: boolean, fork_commit: string, base_commit: string, commits_behind: integer },
  ["allowed", "commits_behind"],
);

/** Forks of repositories. */
export function forksApi(http: Http) {
  const of = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/forks`;
  return {
    list: (repo: RepoName) => http.list(of(repo), { items: repository, unique: "id" }),

    /** 202 with the fork; 409 if the owner has one already. */
    create: (repo: RepoName, body: CreateForkOption) => http.post(of(repo), { body, answers: json(repository) }),

    /** Merges the parent's branch of the same name into a branch of the fork. Gitea only. */
    mergeUpstream: (repo: RepoName, body: { readonly branch: string; readonly ff_only?: boolean | undefined }) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/merge-upstream`, {
        body,
        answers: json(syncResult),
        since: "1.23.1",
      }),

    /** Whether a branch of the fork can be synced, and how far it is behind. Later versions of Forgejo only. */
    syncInfo: (repo: RepoName, branch: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/sync_fork/${branch}`, { answers: json(syncInfo) }),

    /** Fast-forwards a branch of the fork. Later versions of Forgejo only. */
    sync: (repo: RepoName, branch: string) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/sync_fork/${branch}`, { answers: nothing }),
  };
}
