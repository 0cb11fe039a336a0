import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { accountFields, everywhereFlags, listEverywhere } from "../../app/everywhere.ts";
import { pagePath } from "../../app/web.ts";
import { choicesOf, toggle } from "../../command/flags.ts";
import { moment } from "../../command/moment.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  type Notification,
  notification,
  notificationList,
  notificationStates,
  repoNotificationList,
} from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { column } from "../../output/table.ts";
import { list as listOf, record } from "../../shape/shape.ts";
import { chosenRepo, stateCell } from "./mark.ts";

const columns = [
  column<Notification>("ID", "id"),
  column<Notification>("REPOSITORY", "repository.full_name", { style: "link", flexible: true }),
  column<Notification>("TYPE", "subject.type"),
  column<Notification>("TITLE", "subject.title", { flexible: true }),
  column<Notification>("STATE", "unread", stateCell),
  column<Notification>("UPDATED", "updated_at", { as: "time" }),
];

/** `tongs notification list`: GET the notifications of the account, of a repository, or of the accounts of all profiles. */
export const list = defineCommand({
  summary: "List notifications",
  details: "Lists unread and pinned notifications unless --unread, --read or --pinned is given; these can be combined.",
  besideApi: { uses: "the servers of all profiles", with: ["everywhere"] },
  onSelected: true,
  on: "profiles",
  effect: "read",
  lists: ["notification", "notifications"],
  flags: {
    unread: toggle("list unread notifications", { filters: true }),
    read: toggle("list read notifications", { filters: true }),
    pinned: toggle("list pinned notifications", { filters: true }),
    type: choicesOf(["issue", "pull", "commit", "repository"], "filter by subject type", { filters: true }),
    since: moment("filter by update: at or after this time", { filters: true }),
    before: moment("filter by update: before this time", { filters: true }),
    everywhere: everywhereFlags.everywhere,
  },
  output: listOf(record({ ...notification.fields, ...accountFields })),
  exits: { partly: "with --everywhere: some servers did not respond" },
  examples: [
    ["What is new", "tongs notification list --unread"],
    ["What is new on the servers of all profiles", "tongs notification list --unread --everywhere"],
    ["Notifications of a repository", "tongs notification list -R mara/harbor --read --unread --pinned"],
    [
      "Mark all about pull requests as read",
      "tongs notification list --type pull --all --jq '.[].id' | tongs notification read -",
    ],
  ],
  web: { page: () => pagePath("notifications"), uses: [] },
  async run(context) {
    const { flags, options, out } = context;
    const states = notificationStates.filter((state) => flags[state]);
    const { type, since, before } = flags;
    const query = { "status-types": states, "subject-type": type, since, before };
    const mine = ({ http }: ServerContext) => call(http, notificationList, query);
    if (flags.everywhere) {
      if (options.repo !== undefined) throw new UsageError("Cannot use --repo with --everywhere");
      return listEverywhere({ list: mine, time: (one) => one.updated_at, columns, ofAccounts: true }, context);
    }
    const connected = await context.connect();
    const repo = chosenRepo({ options });
    await out.list(
      repo === undefined ? mine(connected) : call(connected.http, repoNotificationList, { repo, ...query }),
      columns,
    );
    return undefined;
  },
});
