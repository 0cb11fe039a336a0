import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs hook`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  test: () => import("./test.ts").then((file) => file.test),
  listen: () => import("./listen.ts").then((file) => file.listen),
  git: {
    summary: "Manage git hooks",
    verbs: async () => ({
      list: () => import("./git/list.ts").then((file) => file.list),
      view: () => import("./git/view.ts").then((file) => file.view),
      edit: () => import("./git/edit.ts").then((file) => file.edit),
      delete: () => import("./git/delete.ts").then((file) => file.remove),
    }),
  },
};
