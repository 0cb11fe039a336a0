import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs runner`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  delete: () => import("./delete.ts").then((file) => file.remove),
  enable: () => import("./enable.ts").then((file) => file.enable),
  disable: () => import("./enable.ts").then((file) => file.disable),
  token: () => import("./token.ts").then((file) => file.token),
};
