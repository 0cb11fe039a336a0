import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs file`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  get: () => import("./get.ts").then((file) => file.get),
  put: () => import("./put.ts").then((file) => file.put()),
  delete: () => import("./delete.ts").then((file) => file.remove),
  commit: () => import("./commit.ts").then((file) => file.commit()),
  patch: () => import("./patch.ts").then((file) => file.patch()),
};
