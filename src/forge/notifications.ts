import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  boolean,
  type Infer,
  integer,
  list as listOf,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
} from "../shape/shape.ts";
import { repository } from "./repos.ts";

const subject = serverRecord(
  "the subject of a notification",
  {
    title: string,
    url: optional(string),
    latest_comment_url: optional(string),
    html_url: optional(string),
    latest_comment_html_url: optional(string),
    type: string,
    state: optional(string),
  },
  ["title", "html_url", "latest_comment_html_url", "type", "state"],
);

/** A notification about an issue, a pull request, a commit or a repository. */
export const notification = serverRecord(
  "a notification",
  {
    id: integer,
    repository: nullable(using(repository, "full_name")),
    subject: nullable(subject),
    unread: boolean,
    pinned: boolean,
    updated_at: time,
    url: optional(string),
  },
  ["id", "repository", "subject", "unread", "pinned", "updated_at"],
);

export type Notification = Infer<typeof notification>;

export const notificationStates = ["unread", "read", "pinned"] as const;
export type NotificationState = (typeof notificationStates)[number];

/** Filters of a list. Without `status-types` it has the unread and pinned ones. */
export interface NotificationQuery {
  readonly "status-types"?: readonly NotificationState[] | undefined;
  readonly "subject-type"?: readonly ("issue" | "pull" | "commit" | "repository")[] | undefined;
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** Notifications of the caller, of all repositories or of one. Scope `notification`. */
export function notificationsApi(http: Http) {
  const list = (at: Path, query: NotificationQuery) =>
    http.list(at, { items: notification, query: { ...query }, unique: "id" });
  const markRead = (at: Path, last_read_at: string | undefined) =>
    http.put(at, { query: { last_read_at }, answers: json(nullable(listOf(notification))) });

  return {
    /** Those of all repositories, newest first. */
    list: (query: NotificationQuery) => list(path`/notifications`, query),

    /** Those of a repository, newest first. */
    ofRepo: (repo: RepoName, query: NotificationQuery) =>
      list(path`/repos/${repo.owner}/${repo.name}/notifications`, query),

    get: (id: number) => http.get(path`/notifications/threads/${id}`, { answers: json(notification) }),

    /** Marks one, by default as read; returns it (status 205, with a body). */
    mark: (id: number, state: NotificationState) =>
      http.patch(path`/notifications/threads/${id}`, {
        query: { "to-status": state === "read" ? undefined : state },
        answers: json(nullable(notification)),
      }),

    /** Marks the unread ones as read, up to a time; returns those that changed (status 205, with a body). */
    markAllRead: (last_read_at?: string) => markRead(path`/notifications`, last_read_at),

    /** As `markAllRead`, of a repository. */
    markRepoRead: (repo: RepoName, last_read_at?: string) =>
      markRead(path`/repos/${repo.owner}/${repo.name}/notifications`, last_read_at),
  };
}
