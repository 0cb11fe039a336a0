import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { type Notification, notification, notificationGet } from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { stateCell } from "./shared.ts";

/** `tongs notification view`: GET a notification. */
export const view = defineCommand({
  summary: "View a notification",
  on: "server",
  effect: "read",
  args: { id: one("notification ID") },
  output: notification,
  examples: [["Open what a notification is about", "tongs notification view 4 --web"]],
  web: {
    page: async ({ args, http }) => pageOf(await call(http, notificationGet, { id: wholeNumber(args.id, "ID", 1) })),
  },
  async run({ args, http, out }) {
    await out.record(await call(http, notificationGet, { id: wholeNumber(args.id, "ID", 1) }), sheetOf);
  },
});

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
