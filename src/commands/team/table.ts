import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs team`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  activity: () => import("./activity.ts").then((file) => file.activity),
  member: {
    summary: "Manage team members",
    verbs: async () => ({
      list: () => import("./member/list.ts").then((file) => file.list),
      add: () => import("./member/add-remove.ts").then((file) => file.add),
      remove: () => import("./member/add-remove.ts").then((file) => file.remove),
      check: () => import("./member/list.ts").then((file) => file.check),
    }),
  },
  repo: {
    summary: "Manage team repositories",
    verbs: async () => ({
      list: () => import("./repo/list.ts").then((file) => file.list),
      add: () => import("./repo/add-remove.ts").then((file) => file.add),
      remove: () => import("./repo/add-remove.ts").then((file) => file.remove),
      check: () => import("./repo/list.ts").then((file) => file.check),
    }),
  },
};
