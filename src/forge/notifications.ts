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
import { operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { cannot, fieldsOf, undoState } from "./undo.ts";

const subject = serverRecord(
  "the subject of a notification",
  {
    title: string,
    html_url: optional(string),
    latest_comment_html_url: optional(string),
    type: string,
    state: optional(string),
  },
  { url: optional(string), latest_comment_url: optional(string) },
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
  },
  { url: optional(string) },
);

export type Notification = Infer<typeof notification>;

export const notificationStates = ["unread", "read", "pinned"] as const;
export type NotificationState = (typeof notificationStates)[number];

/** What a record is marked as. */
export function stateOfNotification({ unread, pinned }: Readonly<Partial<Record<string, unknown>>>): NotificationState {
  if (pinned === true) return "pinned";
  return unread === true ? "unread" : "read";
}

const pages = pagesOf(notification);
const marked = nullable(listOf(notification));

/** Those of all repositories, newest first. */
export const notificationList = operation("GET", "/notifications", { answers: pages });

/** Those of a repository, newest first. */
export const repoNotificationList = operation("GET", "/repos/{owner}/{repo}/notifications", { answers: pages });

export const notificationGet = operation("GET", "/notifications/threads/{id}", { answers: notification });

/** Marks one, by default as read; returns it (status 205, with a body). */
export const notificationMark = operation("PATCH", "/notifications/threads/{id}", {
  answers: nullable(notification),
  undo: undoState({
    state: async ({ path }, read) => stateOfNotification(fieldsOf(await read.record(path))),
    result: ({ query }) => query.get("to-status") ?? "read",
    request: ({ path, before }) => ({ method: "PATCH", path: `${path}?to-status=${before}` }),
  }),
});

/** Marks the unread ones as read, up to a time; returns those that changed (status 205, with a body). */
export const notificationMarkAll = operation("PUT", "/notifications", { answers: marked, undo: cannot.marks });

/** As `notificationMarkAll`, of a repository. */
export const repoNotificationMarkAll = operation("PUT", "/repos/{owner}/{repo}/notifications", {
  answers: marked,
  undo: cannot.marks,
});
