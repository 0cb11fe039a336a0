import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs token`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  create: () => import("./create.ts").then((file) => file.create),
  delete: () => import("./delete.ts").then((file) => file.remove),
};
