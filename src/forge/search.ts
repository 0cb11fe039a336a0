import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import {
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
import { label } from "./labels.ts";
import { repository } from "./repos.ts";
import { person, user } from "./users.ts";

/** A topic, and how many repositories have it. */
export const foundTopic = serverRecord(
  "a topic",
  { id: integer, topic_name: string, repo_count: optional(integer), created: time, updated: optional(time) },
  ["topic_name", "repo_count", "updated"],
);

export type FoundTopic = Infer<typeof foundTopic>;

/** An issue or pull request of any repository. */
export const foundIssue = serverRecord(
  "an issue",
  {
    id: integer,
    number: integer,
    title: string,
    state: words("open", "closed"),
    html_url: optional(string),
    user: optional(nullable(person)),
    body: string,
    labels: optional(nullable(list(label))),
    comments: integer,
    created_at: time,
    updated_at: optional(time),
    closed_at: nullable(time),
    repository: optional(nullable(using(repository, "full_name"))),
  },
  ["number", "title", "state", "html_url", "user", "labels", "updated_at", "repository"],
);

export type FoundIssue = Infer<typeof foundIssue>;

/** Filters of `GET /repos/search`. */
export interface RepoSearch {
  readonly q: string;
  /** The words are names of topics. */
  readonly topic?: boolean | undefined;
  readonly includeDesc?: boolean | undefined;
  readonly uid?: number | undefined;
  readonly exclusive?: boolean | undefined;
  readonly is_private?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly template?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
}

/** Filters of `GET /repos/issues/search`. */
export interface IssueSearch {
  readonly q: string;
  readonly type?: "issues" | "pulls" | undefined;
  readonly state?: "open" | "closed" | "all" | undefined;
  readonly labels?: string | undefined;
  readonly owner?: string | undefined;
  readonly since?: string | undefined;
  readonly assigned?: true | undefined;
  readonly created?: true | undefined;
  readonly mentioned?: true | undefined;
}

/** Searches of a server. They find what the caller may see. */
export const search = (http: Http) => ({
  repos: (query: RepoSearch) =>
    http.list(path`/repos/search`, { items: repository, query: { ...query }, envelope: "data", unique: "id" }),

  users: (q: string) => http.list(path`/users/search`, { items: user, query: { q }, envelope: "data", unique: "id" }),

  issues: (query: IssueSearch) =>
    http.list(path`/repos/issues/search`, { items: foundIssue, query: { ...query }, unique: "id" }),

  topics: (q: string) =>
    http.list(path`/topics/search`, { items: foundTopic, query: { q }, envelope: "topics", unique: "id" }),
});
