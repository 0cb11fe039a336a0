import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
  words,
} from "../shape/shape.ts";
import { attachment } from "./attachments.ts";
import { onItsDay } from "./due-dates.ts";
import { label } from "./labels.ts";
import { milestone } from "./milestones.ts";
import { person } from "./users.ts";

/** The repository of an issue, spelled as the server stores it. */
const repositoryMeta = serverRecord("a repository", { id: integer, name: string, owner: string, full_name: string }, [
  "name",
  "owner",
  "full_name",
]);

/** What an issue that is a pull request says about it. */
const pullMeta = serverRecord(
  "a pull request",
  { merged: optional(boolean), merged_at: nullable(time), draft: boolean, html_url: string },
  ["merged"],
);

/** An issue or a pull request, which share the numbers of a repository. */
export const issue = serverRecord(
  "an issue",
  {
    id: integer,
    url: string,
    html_url: optional(string),
    number: integer,
    user: optional(nullable(person)),
    original_author: optional(string),
    original_author_id: integer,
    title: string,
    body: optional(string),
    ref: string,
    assets: optional(nullable(list(attachment))),
    labels: optional(nullable(list(label))),
    milestone: optional(nullable(milestone)),
    projects: optional(nullable(anything)),
    assignee: nullable(person),
    assignees: optional(nullable(list(person))),
    state: words("open", "closed"),
    is_locked: optional(boolean),
    comments: optional(integer),
    created_at: optional(time),
    updated_at: optional(time),
    closed_at: optional(nullable(time)),
    due_date: optional(nullable(time)),
    time_estimate: optional(integer),
    pull_request: optional(nullable(pullMeta)),
    repository: optional(nullable(repositoryMeta)),
    pin_order: optional(integer),
    content_version: optional(integer),
  },
  [
    "number",
    "html_url",
    "user",
    "original_author",
    "title",
    "body",
    "assets",
    "labels",
    "milestone",
    "assignees",
    "state",
    "is_locked",
    "comments",
    "created_at",
    "updated_at",
    "closed_at",
    "due_date",
    "pull_request",
    "repository",
    "pin_order",
    "content_version",
  ],
);

export type Issue = Infer<typeof issue>;

/** The part of an issue that tongs checks in the answers of operations that also apply to pull requests. */
const changed = using(issue, "assignees", "milestone");

/** Filters of `GET /repos/{owner}/{repo}/issues`. */
export interface IssueQuery {
  readonly type?: "issues" | "pulls" | undefined;
  readonly state: "open" | "closed" | "all";
  /** Words in title, body or comments. */
  readonly q?: string | undefined;
  /** Label names, comma-separated; the servers ignore unknown ones. */
  readonly labels?: string | undefined;
  /** Titles or ids, comma-separated; the servers ignore unknown ones. */
  readonly milestones?: string | undefined;
  readonly since?: string | undefined;
  readonly created_by?: string | undefined;
  readonly assigned_by?: string | undefined;
  readonly mentioned_by?: string | undefined;
}

/** Filters of the search of all repositories: those without a name are about the caller. */
export interface IssueSearch extends Omit<IssueQuery, "state" | "assigned_by" | "mentioned_by"> {
  readonly state?: IssueQuery["state"] | undefined;
  readonly owner?: string | undefined;
  readonly created?: true | undefined;
  readonly assigned?: true | undefined;
  readonly mentioned?: true | undefined;
  readonly review_requested?: true | undefined;
}

/** The fields of a new issue. Without write access the servers ignore the last three. */
export interface CreateIssueOption {
  readonly title: string;
  readonly body?: string | undefined;
  readonly ref?: string | undefined;
  readonly due_date?: string | undefined;
  readonly labels?: readonly number[] | undefined;
  readonly milestone?: number | undefined;
  readonly assignees?: readonly string[] | undefined;
}

/** The fields to change; `milestone: 0` removes the milestone. */
export interface EditIssueOption {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** The version that was read: Gitea refuses an edit of an older body with 409. */
  readonly content_version?: number | undefined;
  readonly state?: "open" | "closed" | undefined;
  readonly milestone?: number | undefined;
  readonly due_date?: string | undefined;
  readonly unset_due_date?: true | undefined;
  readonly assignees?: readonly string[] | undefined;
}

/** Operations on issues; by number, they also apply to pull requests. Scope `issue`. */
export function issuesApi(http: Http) {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/issues`;
  const one = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}`;
  const patch = (repo: RepoName, index: number, body: EditIssueOption) =>
    http.patch(one(repo, index), { body, answers: json(issue) });
  const assignees = (repo: RepoName, index: number) =>
    path`/repos/${repo.owner}/${repo.name}/issues/${index}/assignees`;
  const since = "1.27";
  return {
    /** Newest first; the operation has no other order. */
    list: (repo: RepoName, query: IssueQuery) =>
      http.list(all(repo), { items: issue, query: { type: "issues", ...query }, unique: "id" }),

    /** The issues and pull requests of every repository that the caller can see, newest first. */
    search: (query: IssueSearch) =>
      http.list(path`/repos/issues/search`, { items: issue, query: { ...query }, unique: "id" }),

    get: (repo: RepoName, index: number) => http.get(one(repo, index), { answers: json(issue) }),

    create: async (repo: RepoName, body: CreateIssueOption) => {
      const made = await http.post(all(repo), { body, answers: json(issue) });
      return onItsDay(made, body.due_date, made.due_date, (due_date) => patch(repo, made.number, { due_date }));
    },

    edit: async (repo: RepoName, index: number, body: EditIssueOption) => {
      const edited = await patch(repo, index, body);
      return onItsDay(edited, body.due_date, edited.due_date, (due_date) => patch(repo, index, { due_date }));
    },

    /** Deletes an issue, or a pull request. Needs an administrator of the repository. */
    delete: (repo: RepoName, index: number) => http.delete(one(repo, index), { answers: nothing }),

    /**
     * `milestone: 0` removes the milestone; `PATCH /pulls` cannot
     * (docs/server-differences.md, "Pull requests: editing").
     */
    setMilestone: (repo: RepoName, index: number, milestone: number) =>
      http.patch(one(repo, index), { body: { milestone }, answers: json(changed) }),

    addAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.post(assignees(repo, index), { body: { assignees: names }, answers: json(changed), since }),

    removeAssignees: (repo: RepoName, index: number, names: readonly string[]) =>
      http.delete(assignees(repo, index), { body: { assignees: names }, answers: json(changed), since }),

    /** The numbers of matching pull requests, newest first, for filters that `GET /pulls` does not have. */
    pulls: (repo: RepoName, query: IssueQuery) =>
      http.list(all(repo), { items: using(issue, "number"), query: { type: "pulls", ...query }, unique: "number" }),
  };
}
