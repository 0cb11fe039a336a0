import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs label`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  import: () => import("./import.ts").then((file) => file.importLabels),
};
