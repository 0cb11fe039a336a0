import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import { type Infer, integer, optional, serverRecord, string, time } from "../shape/shape.ts";
import { repository } from "./repos.ts";
import { user } from "./users.ts";

/** A topic, and how many repositories have it. */
export const foundTopic = serverRecord(
  "a topic",
  { id: integer, topic_name: string, repo_count: optional(integer), created: time, updated: optional(time) },
  ["topic_name", "repo_count", "updated"],
);

export type FoundTopic = Infer<typeof foundTopic>;

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

/** Searches of a server, beside that for issues. They find what the caller may see. */
export function searchApi(http: Http) {
  return {
    repos: (query: RepoSearch) =>
      http.list(path`/repos/search`, { items: repository, query: { ...query }, envelope: "data", unique: "id" }),

    users: (q: string) => http.list(path`/users/search`, { items: user, query: { q }, envelope: "data", unique: "id" }),

    topics: (q: string) =>
      http.list(path`/topics/search`, { items: foundTopic, query: { q }, envelope: "topics", unique: "id" }),
  };
}
