import type { Command } from "../../app/define.ts";
import { inServer, resource } from "../../app/resource.ts";
import { pagePath } from "../../app/web.ts";
import { wholeNumber } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { type Notification, notification, notificationGet } from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { mark, stateCell } from "./mark.ts";

const notifications = resource({
  ...inServer,
  noun: ["notification", "notifications"],
  a: "a notification",
  record: notification,
  argument: { key: "id", one: "notification ID", many: "notification IDs", isId: true },
  select:
    ({ http }) =>
    (id) =>
      call(http, notificationGet, { id: Number(id) }),
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: Pick<Notification, "id">) => `notification ${id}`,
});

/** The verbs of `tongs notification`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: notifications.view({
    sheet: sheetOf,
    page: async ({ http }, _, id) => pageOf(await call(http, notificationGet, { id: wholeNumber(id, "ID", 1) })),
    examples: [["Open what a notification is about", "tongs notification view 4 --web"]],
  }),
  read: () => import("./read.ts").then((file) => file.read),
  unread: notifications.each({
    verb: ["mark", "marked"],
    effect: "write",
    summary: "Mark notifications as unread",
    work: ({ id }, { http }) => mark(http, id, "unread"),
    says: (name) => `Marked ${name} as unread`,
    examples: [["Mark a notification as unread", "tongs notification unread 4"]],
  }),
  pin: notifications.each({
    verb: ["pin", "pinned"],
    effect: "write",
    details: "A pinned notification stays in the list until it is marked as read or unread.",
    work: ({ id }, { http }) => mark(http, id, "pinned"),
    examples: [["Pin two notifications", "tongs notification pin 4 7"]],
  }),
};

function sheetOf(found: Notification): Sheet {
  const { id, repository, subject, updated_at } = found;
  return {
    title: subject?.title ?? `Notification ${id}`,
    fields: [
      ["id", id],
      ["repository", styled("link", repository?.full_name)],
      ["type", subject?.type],
      ["subject state", state(subject?.state)],
      ["state", stateCell(found)],
      ["updated", when(updated_at)],
      ["url", styled("link", subject?.html_url)],
      ["latest comment", styled("link", subject?.latest_comment_html_url)],
    ],
  };
}

/** The page of what a notification is about, whatever address the server names. */
function pageOf({ repository, subject }: Notification): string {
  const [, kind, id] = /\/(issues|pulls|commit)\/(\w+)$/.exec(subject?.html_url ?? "") ?? [];
  return pagePath(repository?.full_name ?? "", ...(kind === undefined || id === undefined ? [] : [kind, id]));
}
