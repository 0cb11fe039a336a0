import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs follow`. */
export const verbs: Table<Command> = {
  add: () => import("./add.ts").then((file) => file.add),
  remove: () => import("./remove.ts").then((file) => file.remove),
  list: () => import("./list.ts").then((file) => file.list),
  followers: () => import("./list.ts").then((file) => file.followers),
  check: () => import("./check.ts").then((file) => file.check),
};
