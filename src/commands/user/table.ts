import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs user`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  rename: () => import("./rename.ts").then((file) => file.rename),
  import: () => import("./import.ts").then((file) => file.importUsers),
  activity: () => import("./activity.ts").then((file) => file.activity),
  key: {
    summary: "Manage users' public keys",
    verbs: async () => ({
      list: () => import("./key/list.ts").then((file) => file.list),
      add: () => import("./key/add.ts").then((file) => file.add),
      delete: () => import("./key/delete.ts").then((file) => file.remove),
    }),
  },
  badge: {
    summary: "Manage user badges",
    verbs: async () => ({
      list: () => import("./badge/list.ts").then((file) => file.list),
      add: () => import("./badge/add.ts").then((file) => file.add),
      remove: () => import("./badge/remove.ts").then((file) => file.remove),
    }),
  },
  email: {
    summary: "Manage email addresses",
    verbs: async () => ({
      list: () => import("./email/list.ts").then((file) => file.list),
      add: () => import("./email/add-delete.ts").then((file) => file.add),
      delete: () => import("./email/add-delete.ts").then((file) => file.remove),
    }),
  },
  block: {
    summary: "Block users",
    verbs: async () => ({
      list: () => import("./block/list.ts").then((file) => file.list),
      add: () => import("./block/add-remove.ts").then((file) => file.add),
      remove: () => import("./block/add-remove.ts").then((file) => file.remove),
    }),
  },
  settings: {
    summary: "View and edit your settings",
    verbs: async () => ({
      view: () => import("./settings/view.ts").then((file) => file.view),
      edit: () => import("./settings/edit.ts").then((file) => file.edit),
    }),
  },
  avatar: {
    summary: "Manage your avatar",
    verbs: async () => ({
      set: () => import("./avatar/set-delete.ts").then((file) => file.set),
      delete: () => import("./avatar/set-delete.ts").then((file) => file.remove),
    }),
  },
  actor: () => import("./actor.ts").then((file) => file.userActor),
};
