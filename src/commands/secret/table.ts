import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs secret`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  set: () => import("./set.ts").then((file) => file.set),
  delete: () => import("./delete.ts").then((file) => file.remove),
};
