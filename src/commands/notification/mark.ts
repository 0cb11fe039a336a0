import type { BaseContext } from "../../app/context.ts";
import {
  type Notification,
  type NotificationState,
  notificationGet,
  notificationMark,
} from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import type { Http } from "../../http/client.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { parseRepo, type RepoName } from "../../repo/repo-name.ts";

/** The repository that `--repo` names; notifications of all repositories are the default. */
export function chosenRepo({ options }: Pick<BaseContext, "options">): RepoName | undefined {
  return options.repo === undefined ? undefined : parseRepo(options.repo);
}

/** Marks a notification, and returns it, or how to read it. */
export async function mark(
  http: Http,
  id: number,
  state: NotificationState,
): Promise<Notification | (() => Promise<Notification>)> {
  const marked = await call(http, notificationMark, { id, "to-status": state === "read" ? undefined : state });
  return marked ?? (() => call(http, notificationGet, { id }));
}

/** The state of a notification as the API names it, in its color. */
export function stateCell({ unread, pinned }: Notification): Cell {
  if (pinned) return styled("good", "pinned");
  return unread ? styled("strong", "unread") : styled("dim", "read");
}
