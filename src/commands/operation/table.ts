import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs operation`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  call: () => import("./call.ts").then((file) => file.call),
};
