import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs tag`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  delete: () => import("./delete.ts").then((file) => file.remove),
  protection: {
    summary: "Manage tag protections",
    verbs: async () => ({
      list: () => import("./protection/list.ts").then((file) => file.list),
      view: () => import("./protection/view.ts").then((file) => file.view),
      create: () => import("./protection/create.ts").then((file) => file.create),
      edit: () => import("./protection/edit.ts").then((file) => file.edit),
      delete: () => import("./protection/delete.ts").then((file) => file.remove),
    }),
  },
};
