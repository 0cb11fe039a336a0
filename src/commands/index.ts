import type { Aliases } from "../command/route.ts";
import { noun, type Table } from "../command/table.ts";

/** Every command: one line each. Nothing is loaded before it is called. */
export const table: Table = {
  pr: noun("Work on pull requests", {
    list: () => import("./pr/list.ts").then((file) => file.list),
    view: () => import("./pr/view.ts").then((file) => file.view),
  }),
  user: noun("Manage accounts", {
    list: () => import("./user/list.ts").then((file) => file.list),
    view: () => import("./user/view.ts").then((file) => file.view),
    create: () => import("./user/create.ts").then((file) => file.create),
    edit: () => import("./user/edit.ts").then((file) => file.edit),
    delete: () => import("./user/delete.ts").then((file) => file.remove),
    rename: () => import("./user/rename.ts").then((file) => file.rename),
    import: () => import("./user/import.ts").then((file) => file.importUsers),
    key: noun("Manage public keys of accounts", {
      list: () => import("./user/key/list.ts").then((file) => file.list),
      add: () => import("./user/key/add.ts").then((file) => file.add),
      delete: () => import("./user/key/delete.ts").then((file) => file.remove),
    }),
    badge: noun("Manage badges of accounts", {
      list: () => import("./user/badge/list.ts").then((file) => file.list),
      add: () => import("./user/badge/add.ts").then((file) => file.add),
      remove: () => import("./user/badge/remove.ts").then((file) => file.remove),
    }),
    email: noun("See the mail addresses of accounts", {
      list: () => import("./user/email/list.ts").then((file) => file.list),
    }),
  }),
  star: noun(
    "Star repositories",
    {
      add: () => import("./star/add.ts").then((file) => file.add),
      remove: () => import("./star/remove.ts").then((file) => file.remove),
      list: () => import("./star/list.ts").then((file) => file.list),
      check: () => import("./star/check.ts").then((file) => file.check),
    },
    "add",
  ),
  follow: noun(
    "Follow users",
    {
      add: () => import("./follow/add.ts").then((file) => file.add),
      remove: () => import("./follow/remove.ts").then((file) => file.remove),
      list: () => import("./follow/list.ts").then((file) => file.list),
      followers: () => import("./follow/followers.ts").then((file) => file.followers),
      check: () => import("./follow/check.ts").then((file) => file.check),
    },
    "add",
  ),
  hook: noun("Manage webhooks", {
    list: () => import("./hook/list.ts").then((file) => file.list),
    create: () => import("./hook/create.ts").then((file) => file.create),
    edit: () => import("./hook/edit.ts").then((file) => file.edit),
    delete: () => import("./hook/delete.ts").then((file) => file.remove),
    test: () => import("./hook/test.ts").then((file) => file.test),
  }),
  sandbox: () => import("./sandbox.ts").then((file) => file.sandbox),
  completion: () => import("./completion.ts").then((file) => file.completion),
  schema: () => import("./schema.ts").then((file) => file.schema),
  version: () => import("./version.ts").then((file) => file.version),
};

/** Other spellings, accepted silently where they cannot be misread. */
export const aliases: Aliases = {
  commands: {
    login: "auth login",
    logout: "auth logout",
    "pr update-branch": "pr update",
    unstar: "star remove",
    unfollow: "follow remove",
  },
  verbs: { ls: ["list"], rm: ["delete", "remove"] },
};
