import { batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { type Command, defineCommand } from "../../app/define.ts";
import { accountFields, everywhereFlags, listEverywhere } from "../../app/everywhere.ts";
import { readIds } from "../../app/input.ts";
import { inServer, resource } from "../../app/resource.ts";
import { pagePath } from "../../app/web.ts";
import { any } from "../../command/args.ts";
import { choicesOf, toggle, wholeNumber } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { moment } from "../../command/time-flags.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  type Notification,
  type NotificationState,
  notification,
  notificationGet,
  notificationList,
  notificationMark,
  notificationMarkAll,
  notificationStates,
  repoNotificationList,
  repoNotificationMarkAll,
} from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import type { Http } from "../../http/client.ts";
import { type Cell, state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, parseRepo, type RepoName } from "../../repo/repo-name.ts";
import { list as listOf, record } from "../../shape/shape.ts";

/** The repository that `--repo` names; notifications of all repositories are the default. */
export function chosenRepo({ options }: Pick<BaseContext, "options">): RepoName | undefined {
  return options.repo === undefined ? undefined : parseRepo(options.repo);
}

/** Marks a notification, and returns it, or how to read it. */
async function mark(
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

const notifications = resource({
  ...inServer,
  noun: ["notification", "notifications"],
  a: "a notification",
  record: notification,
  argument: { key: "id", one: "notification ID", many: "notification IDs", isId: true },
  get: (id, { http }) => call(http, notificationGet, { id: Number(id) }),
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: Pick<Notification, "id">) => `notification ${id}`,
});

/** The verbs of `tongs notification`. */
export const verbs: Table<Command> = {
  list: async () => list,
  view: notifications.view({
    sheet: sheetOf,
    page: async ({ http }, _, id) => pageOf(await call(http, notificationGet, { id: wholeNumber(id, "ID", 1) })),
    examples: [["Open what a notification is about", "tongs notification view 4 --web"]],
  }),
  read: async () => read,
  unread: notifications.each({
    verb: ["mark", "marked"],
    summary: "Mark notifications as unread",
    work: ({ id }, { http }) => mark(http, id, "unread"),
    says: (name) => `Marked ${name} as unread`,
    examples: [["Mark a notification as unread", "tongs notification unread 4"]],
  }),
  pin: notifications.each({
    verb: ["pin", "pinned"],
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

/** `tongs notification read`: PATCH each notification, or PUT all unread ones. */
const read = defineCommand({
  summary: "Mark notifications as read",
  details: "Without IDs, marks all unread notifications as read, or those of the repository given with --repo.",
  on: "server",
  effect: "write",
  args: { id: any("notification IDs", { dash: "lines" }) },
  flags: { before: moment("without IDs: mark only those updated before this time") },
  output: listOf(notification),
  exits: { partly: "some notifications were marked, some failed" },
  examples: [
    ["Mark a notification as read", "tongs notification read 4"],
    ["Mark all notifications of a repository as read", "tongs notification read -R mara/harbor --yes"],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, server, system } = context;
    if (args.id.length > 0) {
      if (flags.before !== undefined) throw new UsageError("Specify either IDs or --before");
      const work = async (id: number) => {
        const record = await mark(http, id, "read");
        return { message: `Marked notification ${id} as read ${accountLabel(server)}`, record };
      };
      return batch(await readIds(args.id, system), work, context);
    }
    const repo = chosenRepo(context);
    const which = repo === undefined ? "all notifications" : `all notifications of ${fullName(repo)}`;
    await prompt.confirmAction({ what: `Mark ${which} as read`, sends: notificationMarkAll });
    const marked = await (repo === undefined
      ? call(http, notificationMarkAll, { last_read_at: flags.before })
      : call(http, repoNotificationMarkAll, { repo, last_read_at: flags.before }));
    const count = marked?.length ?? 0;
    const what = `${count} notification${count === 1 ? "" : "s"}`;
    await out.done(`Marked ${what} as read ${accountLabel(server)}`, { record: marked ?? [] });
    return undefined;
  },
});

const columns = [
  column<Notification>("ID", "id"),
  column<Notification>("REPOSITORY", "repository.full_name", { style: "link", flexible: true }),
  column<Notification>("TYPE", "subject.type"),
  column<Notification>("TITLE", "subject.title", { flexible: true }),
  column<Notification>("STATE", "unread", stateCell),
  column<Notification>("UPDATED", "updated_at", { as: "time" }),
];

/** `tongs notification list`: GET the notifications of the account, of a repository, or of the accounts of all profiles. */
const list = defineCommand({
  summary: "List notifications",
  details: "Lists unread and pinned notifications unless --unread, --read or --pinned is given; these can be combined.",
  external: { uses: "the servers of all profiles", with: ["everywhere"] },
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
