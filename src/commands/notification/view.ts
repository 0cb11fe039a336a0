import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { toggle, wholeNumber } from "../../command/flags.ts";
import { type Notification, notification } from "../../forge/notifications.ts";
import { state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import { stateCell } from "./shared.ts";

/** `tongs notification view`: GET a notification. */
export const view = defineCommand({
  summary: "View a notification",
  on: "server",
  effect: "read",
  args: { id: one("notification ID") },
  flags: { web: toggle("open what it is about in a browser", { short: "w", opensBrowser: true }) },
  output: notification,
  examples: [["Open what a notification is about", "tongs notification view 4 --web"]],
  async run({ args, flags, forge, out, server, system }) {
    const found = await forge.notifications.get(wholeNumber(args.id, "ID", 1));
    if (flags.web) {
      const { openPage } = await import("../../output/browser.ts");
      const page = pageOf(found, server);
      out.note(`Opening ${page} in your browser.`);
      return openPage(system, page);
    }
    await out.record(found, sheetOf);
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

/** The page of what a notification is about, on the server that was asked, whatever address it names. */
function pageOf({ repository, subject }: Notification, server: Server): string {
  const [owner = "", name = ""] = (repository?.full_name ?? "").split("/").map(encodeURIComponent);
  const [, kind, id] = /\/(issues|pulls|commit)\/(\w+)$/.exec(subject?.html_url ?? "") ?? [];
  const page = `${addressText(server.base)}/${owner}/${name}`;
  return kind === undefined ? page : `${page}/${kind}/${id}`;
}
