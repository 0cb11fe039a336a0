import { defineCommand } from "../../app/define.ts";
import { many } from "../../command/args.ts";
import { notification } from "../../forge/notifications.ts";
import { list as listOf } from "../../shape/shape.ts";
import { markEach } from "./shared.ts";

const shared = {
  on: "server",
  effect: "write",
  args: { id: many("notification IDs; - reads them from stdin, one per line") },
  output: listOf(notification),
  exits: { partly: "some notifications were marked, some failed" },
} as const;

/** `tongs notification unread`: PATCH each notification. */
export const unread = defineCommand({
  ...shared,
  summary: "Mark notifications as unread",
  examples: [["Mark a notification as unread", "tongs notification unread 4"]],
  run: (context) => markEach(context.args.id, "unread", context),
});

/** `tongs notification pin`: PATCH each notification. */
export const pin = defineCommand({
  ...shared,
  summary: "Pin notifications",
  details: "A pinned notification stays in the list until it is marked as read or unread.",
  examples: [["Pin two notifications", "tongs notification pin 4 7"]],
  run: (context) => markEach(context.args.id, "pinned", context),
});
