import { readAvatar } from "../../app/avatar.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { currentUser } from "../../app/shared.ts";
import { viewCommand } from "../../app/view-command.ts";
import { filtered, pagePath } from "../../app/web.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one, optional } from "../../command/args.ts";
import { choice, integer, text, toggle, yesNo } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { Failure, UsageError, withHint } from "../../failure/failure.ts";
import { actor, actorGet, ownAvatarDelete, ownAvatarSet, userSettings, userSettingsGet } from "../../forge/account.ts";
import { userActivityList } from "../../forge/activities.ts";
import { type Badge, badge, userBadgeList } from "../../forge/admin-users.ts";
import { listUsers } from "../../forge/list-users.ts";
import { call } from "../../forge/operation.ts";
import { currentUserGet, user, userGet, visibilities } from "../../forge/users.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { column } from "../../output/table.ts";
import { dateFlag, feed } from "../activity.ts";
import { userColumns, userSheet } from "./display.ts";

/** The verbs of `tongs user`. */
export const verbs: Table<Command> = {
  list: listCommand({
    summary: "List the users of the server",
    on: "server",
    lists: ["user", "users"],
    flags: {
      query: text("search in username, full name and email address", { placeholder: "TEXT", filters: true }),
      admin: yesNo("filter by administrator rights", { filters: true }),
      active: toggle("list only active users", { filters: true }),
      inactive: toggle("list only inactive users", { filters: true }),
      restricted: yesNo("filter by whether the user is restricted", { filters: true }),
      "2fa": yesNo("filter by whether two-factor authentication is enabled", { filters: true }),
      prohibitLogin: yesNo("filter by whether signing in is prohibited", { filters: true }),
      visibility: choice(visibilities, "filter by visibility of the profile", { filters: true }),
      sourceId: integer("filter by ID of the authentication source (0 is the local one)", { filters: true }),
      loginName: text("filter by login name at the authentication source (exact)", {
        placeholder: "NAME",
        filters: true,
      }),
      sort: choice(["name", "created", "updated", "id"], "sort by"),
      order: choice(["asc", "desc"], "sort order"),
    },
    exclusive: [["active", "inactive"]],
    record: user,
    columns: userColumns,
    fetch({ flags, http }) {
      if (flags.order !== undefined && flags.sort === undefined) throw new UsageError("--order requires --sort");
      const query = {
        q: flags.query,
        is_admin: flags.admin,
        is_active: flags.active ? true : flags.inactive ? false : undefined,
        is_restricted: flags.restricted,
        is_2fa_enabled: flags["2fa"],
        is_prohibit_login: flags.prohibitLogin,
        visibility: flags.visibility,
        source_id: flags.sourceId,
        login_name: flags.loginName,
        sort: flags.sort,
        order: flags.order,
      };
      return listUsers(http, query);
    },
    page: ({ flags }) => filtered(pagePath("explore", "users"), { q: flags.query }),
    pageUses: ["query"],
    examples: [
      ["List the administrators", "tongs user list --admin"],
      ["List the newest users", "tongs user list --sort created --order desc --limit 10"],
      [
        "List the names of users who have never signed in",
        "tongs user list --all --jq '.[] | select(.last_login < \"1971\") | .login'",
      ],
    ],
  }),
  view: viewCommand({
    summary: "View a user",
    on: "server",
    args: { name: optional("username (default: you)", { source: "account" }) },
    record: user,
    fetch: ({ args: { name: username }, http }) =>
      username === undefined ? call(http, currentUserGet, {}) : call(http, userGet, { username }),
    sheet: userSheet,
    page: async (context) => pagePath(context.args.name ?? (await currentUser(context))),
    examples: [
      ["View a user", "tongs user view mara"],
      ["Print your own username and role", "tongs user view --json login,is_admin"],
    ],
  }),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  onboard: () => import("./onboard.ts").then((file) => file.onboard),
  offboard: () => import("./offboard.ts").then((file) => file.offboard),
  delete: () => import("./delete.ts").then((file) => file.remove),
  rename: () => import("./rename.ts").then((file) => file.rename),
  import: () => import("./import.ts").then((file) => file.importUsers),
  activity: listCommand({
    ...feed,
    summary: "List the activity of a user, newest first",
    details:
      "The feed also includes the activity of others in repositories that the user watches, unless --own is given.",
    on: "server",
    args: { name: optional("username (default: you)") },
    flags: { date: dateFlag, own: toggle("only the user's own actions", { filters: true }) },
    async fetch(context) {
      const { args, flags, http } = context;
      const username = args.name ?? (await currentUser(context));
      const query = { date: flags.date, "only-performed-by": flags.own || undefined };
      return call(http, userActivityList, { username, ...query });
    },
    examples: [["List what a user did", "tongs user activity mara --own"]],
  }),
  key: noun("Manage users' public keys", () => import("./key/key.ts")),
  badge: {
    summary: "Manage user badges",
    verbs: async () => ({
      list: listCommand({
        summary: "List a user's badges",
        needs: [userBadgeList],
        on: "server",
        lists: ["badge", "badges"],
        args: { name: one("username", { source: "account" }) },
        record: badge,
        columns: [column<Badge>("BADGE", "Slug"), column<Badge>("DESCRIPTION", "Description", { flexible: true })],
        fetch: ({ args, http }) => call(http, userBadgeList, { username: args.name }),
        examples: [["List the badges of a user", "tongs user badge list mara"]],
      }),
      add: () => import("./badge.ts").then((file) => file.add),
      remove: () => import("./badge.ts").then((file) => file.remove),
    }),
  },
  email: noun("Manage email addresses", () => import("./email/email.ts")),
  block: noun("Block users", () => import("./block/block.ts")),
  settings: {
    summary: "View and edit your settings",
    verbs: async () => ({
      view: viewCommand({
        summary: "View your settings",
        on: "server",
        record: userSettings,
        fetch: ({ http }) => call(http, userSettingsGet, {}),
        sheet: (settings) => ({
          fields: Object.keys(userSettings.fields).flatMap((name) => {
            const value = Object.entries(settings).find(([key]) => key === name)?.[1];
            return value === undefined ? [] : [[name.replaceAll("_", " "), value] as const];
          }),
        }),
        page: () => pagePath("user/settings"),
        examples: [
          ["View your settings", "tongs user settings view"],
          ["Print the theme", "tongs user settings view --jq .theme"],
        ],
      }),
      edit: () => import("./edit-settings.ts").then((file) => file.edit),
    }),
  },
  avatar: {
    summary: "Manage your avatar",
    verbs: async () => ({
      set: writeCommand({
        summary: "Set your avatar",
        on: "server",
        args: { file: one("PNG, JPEG, GIF or WebP image", { dash: "stdin", names: "input file" }) },
        output: user,
        async work({ args, http, system }) {
          await call(http, ownAvatarSet, {}, { image: await readAvatar(args.file, system) });
          return { done: "Set your avatar", record: () => call(http, currentUserGet, {}) };
        },
        examples: [["Set your avatar", "tongs user avatar set mara.png"]],
      }),
      delete: writeCommand({
        summary: "Delete your avatar",
        details: "The server shows a generated image instead.",
        on: "server",
        output: user,
        asks: () => ({ what: "Delete your avatar", sends: ownAvatarDelete }),
        async work({ http }) {
          await call(http, ownAvatarDelete, {});
          return { done: "Deleted your avatar", record: () => call(http, currentUserGet, {}) };
        },
        examples: [["Delete your avatar", "tongs user avatar delete --yes"]],
      }),
    }),
  },
  actor: viewCommand({
    summary: "Show a user's ActivityPub actor",
    details: "Prints the ActivityPub description of the user, which servers have only if federation is on.",
    on: "server",
    needs: [actorGet],
    args: { name: one("username") },
    record: actor,
    exits: { notFound: "the user does not exist, or the server has no federation" },
    async fetch({ args, http }) {
      const { id } = await call(http, userGet, { username: args.name });
      if (id === undefined) throw new Failure("not_found", `User ${args.name} has no ID`);
      return call(http, actorGet, { "user-id": id }).catch((error: unknown) => {
        if (!(error instanceof UnknownOperationError)) throw error;
        throw withHint(error, "Federation may be off on this server.");
      });
    },
    sheet: ({ preferredUsername, id, type, url, inbox, outbox }, { args }) => ({
      title: preferredUsername ?? args.name,
      fields: Object.entries({ id, type, url, inbox, outbox }),
    }),
    examples: [["Print the address of a user", "tongs user actor mara --jq .id"]],
  }),
};
