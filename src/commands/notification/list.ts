import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { choicesOf, toggle } from "../../command/flags.ts";
import { moment } from "../../command/moment.ts";
import {
  type Notification,
  notification,
  notificationList,
  notificationStates,
  repoNotificationList,
} from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { chosenRepo, stateCell } from "./shared.ts";

const columns = [
  column<Notification>("ID", "id"),
  column<Notification>("REPOSITORY", "repository.full_name", { style: "link", flexible: true }),
  column<Notification>("TYPE", "subject.type"),
  column<Notification>("TITLE", "subject.title", { flexible: true }),
  column<Notification>("STATE", "unread", stateCell),
  column<Notification>("UPDATED", "updated_at", { as: "time" }),
];

/** `tongs notification list`: GET the caller's notifications, of all repositories or of one. */
export const list = defineCommand({
  summary: "List notifications",
  details: "Lists unread and pinned notifications unless --unread, --read or --pinned is given; these can be combined.",
  on: "server",
  effect: "read",
  lists: ["notification", "notifications"],
  flags: {
    unread: toggle("list unread notifications", { filters: true }),
    read: toggle("list read notifications", { filters: true }),
    pinned: toggle("list pinned notifications", { filters: true }),
    type: choicesOf(["issue", "pull", "commit", "repository"], "filter by subject type", { filters: true }),
    since: moment("filter by update: at or after this time", { filters: true }),
    before: moment("filter by update: before this time", { filters: true }),
  },
  output: listOf(notification),
  examples: [
    ["What is new", "tongs notification list --unread"],
    ["Notifications of a repository", "tongs notification list -R mara/harbor --read --unread --pinned"],
    [
      "Mark all about pull requests as read",
      "tongs notification list --type pull --all --jq '.[].id' | tongs notification read -",
    ],
  ],
  web: { page: () => pagePath("notifications") },
  async run(context) {
    const { flags, http, out } = context;
    const states = notificationStates.filter((state) => flags[state]);
    const query = {
      "status-types": states,
      "subject-type": flags.type,
      since: flags.since,
      before: flags.before,
    };
    const repo = chosenRepo(context);
    const found =
      repo === undefined ? call(http, notificationList, query) : call(http, repoNotificationList, { repo, ...query });
    await out.list(found, columns);
  },
});
