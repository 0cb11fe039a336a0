import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs gpg-key`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  add: () => import("./add.ts").then((file) => file.add),
  verify: () => import("./verify.ts").then((file) => file.verify),
  delete: () => import("./delete.ts").then((file) => file.remove),
};
