import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs org`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  rename: () => import("./rename.ts").then((file) => file.rename),
  activity: () => import("./activity.ts").then((file) => file.activity),
  member: {
    summary: "Manage organization members",
    verbs: async () => ({
      list: () => import("./member/list.ts").then((file) => file.list),
      check: () => import("./member/check.ts").then((file) => file.check),
      permission: () => import("./member/check.ts").then((file) => file.permission),
      remove: () => import("./member/remove.ts").then((file) => file.remove),
      publish: () => import("./member/publish.ts").then((file) => file.publish),
      conceal: () => import("./member/publish.ts").then((file) => file.conceal),
    }),
  },
  block: {
    summary: "Block users from organizations",
    verbs: async () => ({
      list: () => import("./block/list.ts").then((file) => file.list),
      check: () => import("./block/list.ts").then((file) => file.check),
      add: () => import("./block/add-remove.ts").then((file) => file.add),
      remove: () => import("./block/add-remove.ts").then((file) => file.remove),
    }),
  },
  repo: {
    summary: "Manage organization repositories",
    verbs: async () => ({
      list: () => import("./repo/list.ts").then((file) => file.list),
      delete: () => import("./repo/delete.ts").then((file) => file.remove),
    }),
  },
  avatar: {
    summary: "Manage organization avatars",
    verbs: async () => ({
      set: () => import("./avatar.ts").then((file) => file.set),
      delete: () => import("./avatar.ts").then((file) => file.remove),
    }),
  },
};
