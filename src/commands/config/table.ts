import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs config`. */
export const verbs: Table<Command> = {
  get: () => import("./get.ts").then((file) => file.get),
  set: () => import("./set.ts").then((file) => file.set),
  list: () => import("./list.ts").then((file) => file.list),
  unset: () => import("./unset.ts").then((file) => file.unset),
};
