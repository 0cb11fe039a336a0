import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import type { User } from "./users.ts";

/** As much of an issue as is read here. */
interface IssueAnswer {
  readonly assignees: readonly User[] | null;
  readonly milestone: { readonly id: number } | null;
}

/** What `GET /issues` filters pull requests by. */
export interface PullSearch {
  readonly state: "open" | "closed" | "all";
  /** Words in title, text or comments. */
  readonly q?: string | undefined;
  readonly assigned_by?: string | undefined;
  readonly created_by?: string | undefined;
  /** Names; the servers disagree on what several mean. */
  readonly labels?: string | undefined;
}

/** As much of a dependency as is read here; masked ones are titled `HIDDEN` and have no number (api-facts 9, row 24). */
interface Dependency {
  readonly number: number;
  readonly title: string;
  readonly state: string;
}

/** What an issue and a pull request share, reached through the issue. Scope `issue`. */
export const issues = (http: Http) => {
  const one = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}`;
  const assignees = (repo: RepoName, index: number) =>
    path`/repos/${repo.owner}/${repo.name}/issues/${index}/assignees`;
  const since = "1.27";
  return {
    /** `milestone: 0` clears, which `PATCH /pulls` cannot do (api-facts 3.5.3). */
    edit: (repo: RepoName, index: number, body: { readonly milestone: number }) =>
      http.patch(one(repo, index), { body, answers: json<IssueAnswer>() }),

    addAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.post(assignees(repo, index), { body: { assignees: names }, answers: json<IssueAnswer>(), since }),

    removeAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.delete(assignees(repo, index), { body: { assignees: names }, answers: json<IssueAnswer>(), since }),

    /** The numbers of pull requests that fit, newest first; what `GET /pulls` cannot filter by (api-facts 3.5.1). */
    pulls: (repo: RepoName, query: PullSearch) =>
      http.list<{ readonly number: number }>(path`/repos/${repo.owner}/${repo.name}/issues`, {
        query: { type: "pulls", ...query },
        unique: "number",
      }),

    /** The open and closed ones that it depends on. */
    dependencies: (repo: RepoName, index: number) =>
      http.list<Dependency>(path`/repos/${repo.owner}/${repo.name}/issues/${index}/dependencies`, { unique: "id" }),
  };
};
