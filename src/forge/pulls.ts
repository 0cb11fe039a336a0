import { json, nothing, status, stream, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { ChangedFile, Commit } from "./records/commit.ts";
import type {
  CreatePullRequestOption,
  EditPullRequestOption,
  MergePullRequestOption,
  PullQuery,
  PullRequest,
} from "./records/pull-request.ts";
import type { RepoName } from "./repo-name.ts";

/** Pull requests (api-facts 3.5). */
export const pulls = (http: Http) => {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/pulls`;
  const one = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/pulls/${index}`;
  const below = (repo: RepoName, index: number, part: string) => wildcard(one(repo, index), part);

  return {
    /** A pull request with two of the labels asked for comes twice, so repeated ones are dropped. */
    list: (repo: RepoName, query: PullQuery) =>
      http.list<PullRequest>(all(repo), { query: { ...query }, unique: "id" }),

    get: (repo: RepoName, index: number) => http.get(one(repo, index), { answers: json<PullRequest>() }),

    /** By its branches; `head` is `branch`, `owner:branch` or `owner/repo:branch`. Any state may come. */
    byBranches: (repo: RepoName, base: string, head: string) =>
      http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/pulls/${base}`, head), {
        answers: json<PullRequest>(),
      }),

    /** As it arrives: it may be large. */
    diff: (repo: RepoName, index: number, options: { readonly binary?: boolean } = {}) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/pulls/${`${index}.diff`}`, { query: options, answers: stream }),

    patch: (repo: RepoName, index: number, options: { readonly binary?: boolean } = {}) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/pulls/${`${index}.patch`}`, { query: options, answers: stream }),

    create: (repo: RepoName, body: CreatePullRequestOption) =>
      http.post(all(repo), { body, answers: json<PullRequest>() }),

    edit: (repo: RepoName, index: number, body: EditPullRequestOption) =>
      http.patch(one(repo, index), { body, answers: json<PullRequest>() }),

    merged: (repo: RepoName, index: number) => http.get(below(repo, index, "merge"), { answers: yesNo }),

    /** 200 when merged, 201 when an auto merge was scheduled. */
    merge: (repo: RepoName, index: number, body: MergePullRequestOption) =>
      http.post(below(repo, index, "merge"), { body, answers: status }),

    cancelAutoMerge: (repo: RepoName, index: number) => http.delete(below(repo, index, "merge"), { answers: nothing }),

    update: (repo: RepoName, index: number, style: "merge" | "rebase" | undefined) =>
      http.post(below(repo, index, "update"), { query: { style }, answers: nothing }),

    /** Newest first. */
    commits: (
      repo: RepoName,
      index: number,
      query: { readonly verification?: boolean; readonly files?: boolean } = {},
    ) => http.list<Commit>(below(repo, index, "commits"), { query, unique: "sha" }),

    files: (repo: RepoName, index: number, query: { readonly whitespace?: string | undefined } = {}) =>
      http.list<ChangedFile>(below(repo, index, "files"), { query, unique: "filename" }),
  };
};
