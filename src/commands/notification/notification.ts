import type { Command } from "../../app/define.ts";
import { inServer, resource } from "../../app/resource.ts";
import { pagePath } from "../../app/web.ts";
import { choicesOf, toggle, wholeNumber } from "../../command/flags.ts";
import { moment } from "../../command/moment.ts";
import type { Table } from "../../command/table.ts";
import {
  type Notification,
  notification,
  notificationGet,
  notificationList,
  notificationStates,
  repoNotificationList,
} from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { type Cell, state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { chosenRepo, mark } from "./mark.ts";

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
  list: notifications.list({
    details:
      "Lists unread and pinned notifications unless --unread, --read or --pinned is given; these can be combined.",
    flags: {
      unread: toggle("list unread notifications", { filters: true }),
      read: toggle("list read notifications", { filters: true }),
      pinned: toggle("list pinned notifications", { filters: true }),
      type: choicesOf(["issue", "pull", "commit", "repository"], "filter by subject type", { filters: true }),
      since: moment("filter by update: at or after this time", { filters: true }),
      before: moment("filter by update: before this time", { filters: true }),
    },
    columns: [
      column<Notification>("ID", "id"),
      column<Notification>("REPOSITORY", "repository.full_name", { style: "link", flexible: true }),
      column<Notification>("TYPE", "subject.type"),
      column<Notification>("TITLE", "subject.title", { flexible: true }),
      column<Notification>("STATE", "unread", stateCell),
      column<Notification>("UPDATED", "updated_at", { as: "time" }),
    ],
    fetch({ flags, http, options }) {
      const states = notificationStates.filter((state) => flags[state]);
      const { type, since, before } = flags;
      const query = { "status-types": states, "subject-type": type, since, before };
      const repo = chosenRepo({ options });
      return repo === undefined
        ? call(http, notificationList, query)
        : call(http, repoNotificationList, { repo, ...query });
    },
    page: () => pagePath("notifications"),
    examples: [
      ["What is new", "tongs notification list --unread"],
      ["Notifications of a repository", "tongs notification list -R mara/harbor --read --unread --pinned"],
      [
        "Mark all about pull requests as read",
        "tongs notification list --type pull --all --jq '.[].id' | tongs notification read -",
      ],
    ],
  }),
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

/** The state of a notification as the API names it, in its color. */
function stateCell({ unread, pinned }: Notification): Cell {
  if (pinned) return styled("good", "pinned");
  return unread ? styled("strong", "unread") : styled("dim", "read");
}

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
