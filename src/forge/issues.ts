import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { integer, list, nullable, optional, serverRecord, string } from "../shape/shape.ts";
import { milestone } from "./milestones.ts";
import { person } from "./users.ts";

/** The fields of an issue that are used. */
const issue = serverRecord(
  "an issue",
  { assignees: optional(nullable(list(person))), milestone: optional(nullable(milestone)) },
  ["assignees", "milestone"],
);

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
const dependency = serverRecord("an issue", { number: integer, title: string, state: string }, [
  "number",
  "title",
  "state",
]);

/** The field of an issue that a search for pull requests uses. */
const found = serverRecord("an issue", { number: integer }, ["number"]);

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
      http.patch(one(repo, index), { body, answers: json(issue) }),

    addAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.post(assignees(repo, index), { body: { assignees: names }, answers: json(issue), since }),

    removeAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.delete(assignees(repo, index), { body: { assignees: names }, answers: json(issue), since }),

    /** The numbers of matching pull requests, newest first, for filters that `GET /pulls` does not have. */
    pulls: (repo: RepoName, query: PullSearch) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/issues`, {
        items: found,
        query: { type: "pulls", ...query },
        unique: "number",
      }),

    /** The open and closed issues and pull requests that it depends on. */
    dependencies: (repo: RepoName, index: number) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/issues/${index}/dependencies`, {
        items: dependency,
        unique: "id",
      }),
  };
};
