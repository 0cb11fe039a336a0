import { type BatchItem, batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { readIds } from "../../app/input.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import {
  type Notification,
  type NotificationState,
  notificationGet,
  notificationMark,
} from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { accountLabel } from "../../profiles/server.ts";
import { parseRepo, type RepoName } from "../../repo/repo-name.ts";

/** The state of a notification as the API names it. */
export function stateOf({ unread, pinned }: Notification): NotificationState {
  if (pinned) return "pinned";
  return unread ? "unread" : "read";
}

/** The state of a notification in its color. */
export function stateCell(one: Notification): Cell {
  const styles = { unread: "strong", pinned: "good", read: "dim" } as const;
  const state = stateOf(one);
  return styled(styles[state], state);
}

/** The repository that `--repo` names; notifications of all repositories are the default. */
export function chosenRepo({ options }: Pick<BaseContext, "options">): RepoName | undefined {
  return options.repo === undefined ? undefined : parseRepo(options.repo);
}

/** Marks notifications, several at a time. Returns the exit name of the batch. */
export async function markEach(
  typed: readonly string[],
  state: NotificationState,
  context: Pick<BaseContext & ServerContext, "out" | "system" | "options" | "server" | "http">,
): Promise<ExitName | undefined> {
  const { http, server, system } = context;
  const done = state === "pinned" ? "Pinned notification" : "Marked notification";
  const work = async (id: number): Promise<BatchItem> => {
    const record = await call(http, notificationMark, { id, "to-status": state === "read" ? undefined : state });
    const message = `${done} ${id}${state === "pinned" ? "" : ` as ${state}`} ${accountLabel(server)}`;
    return { message, record: record ?? (() => call(http, notificationGet, { id })) };
  };
  return batch(await readIds(typed, system), work, context);
}
