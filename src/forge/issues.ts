import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import type { User } from "./users.ts";

/** The fields of an issue that are used. */
interface IssueAnswer {
  readonly assignees: readonly User[] | null;
  readonly milestone: { readonly id: number } | null;
}

/** Filters of `GET /issues` for pull requests. */
export interface PullSearch {
  readonly state: "open" | "closed" | "all";
  /** Words in title, body or comments. */
  readonly q?: string | undefined;
  readonly assigned_by?: string | undefined;
  readonly created_by?: string | undefined;
  /** Label names; the servers treat several differently. */
  readonly labels?: string | undefined;
}

/**
 * The fields of a dependency that are used. A hidden one has the title `HIDDEN` and no number
 * (docs/server-differences.md, "Pull requests: merging").
 */
interface Dependency {
  readonly number: number;
  readonly title: string;
  readonly state: string;
}

/** Operations on issues that also apply to pull requests. Scope `issue`. */
export const issues = (http: Http) => {
  const one = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}`;
  const assignees = (repo: RepoName, index: number) =>
    path`/repos/${repo.owner}/${repo.name}/issues/${index}/assignees`;
  const since = "1.27";
  return {
    /**
     * `milestone: 0` removes the milestone; `PATCH /pulls` cannot
     * (docs/server-differences.md, "Pull requests: editing").
     */
    edit: (repo: RepoName, index: number, body: { readonly milestone: number }) =>
      http.patch(one(repo, index), { body, answers: json<IssueAnswer>() }),

    addAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.post(assignees(repo, index), { body: { assignees: names }, answers: json<IssueAnswer>(), since }),

    removeAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.delete(assignees(repo, index), { body: { assignees: names }, answers: json<IssueAnswer>(), since }),

    /** The numbers of matching pull requests, newest first, for filters that `GET /pulls` does not have. */
    pulls: (repo: RepoName, query: PullSearch) =>
      http.list<{ readonly number: number }>(path`/repos/${repo.owner}/${repo.name}/issues`, {
        query: { type: "pulls", ...query },
        unique: "number",
      }),

    /** The open and closed issues and pull requests that it depends on. */
    dependencies: (repo: RepoName, index: number) =>
      http.list<Dependency>(path`/repos/${repo.owner}/${repo.name}/issues/${index}/dependencies`, { unique: "id" }),
  };
};
