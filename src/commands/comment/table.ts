import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs comment`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  reaction: {
    summary: "React to comments",
    verbs: async () => ({
      list: () => import("../issue/reaction.ts").then((file) => file.ofComment.list),
      add: () => import("../issue/reaction.ts").then((file) => file.ofComment.add),
      remove: () => import("../issue/reaction.ts").then((file) => file.ofComment.remove),
    }),
  },
};
