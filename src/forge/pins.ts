import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, serverRecord } from "../shape/shape.ts";
import { issue } from "./issues.ts";

const pinsAllowed = serverRecord("the allowed pins", { issues: boolean, pull_requests: boolean }, [
  "issues",
  "pull_requests",
]);

/** Locks and pins of issues and pull requests, for administrators of the repository. Scope `issue`. */
export function pinsApi(http: Http) {
  const lockPath = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}/lock`;
  const pinPath = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}/pin`;
  const since = "1.24";
  return {
    /** Limits comments to users with write access. Forgejo lacks it (docs/server-differences.md, "Issues"). */
    lock: (repo: RepoName, index: number, reason: string | undefined) =>
      http.put(lockPath(repo, index), { body: { lock_reason: reason }, answers: nothing, since }),

    unlock: (repo: RepoName, index: number) => http.delete(lockPath(repo, index), { answers: nothing, since }),

    /** 500 if the maximum is reached, or on Gitea if it is pinned (docs/server-differences.md, "Issues"). */
    pin: (repo: RepoName, index: number) => http.post(pinPath(repo, index), { answers: nothing }),

    unpin: (repo: RepoName, index: number) => http.delete(pinPath(repo, index), { answers: nothing }),

    /** The position must be that of a pinned issue: the servers store any number of 1 and more. */
    move: (repo: RepoName, index: number, position: number) =>
      http.patch(path`/repos/${repo.owner}/${repo.name}/issues/${index}/pin/${position}`, { answers: nothing }),

    /** The pinned issues in their order, without paging. */
    list: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/issues/pinned`, { items: issue, unpaged: true }),

    /** Whether more issues and pull requests can be pinned. */
    allowed: (repo: RepoName) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/new_pin_allowed`, { answers: json(pinsAllowed) }),
  };
}
