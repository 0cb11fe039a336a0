import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs artifact`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  download: () => import("./download.ts").then((file) => file.download),
  delete: () => import("./delete.ts").then((file) => file.remove),
};
