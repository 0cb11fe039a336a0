import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs notification`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  read: () => import("./read.ts").then((file) => file.read),
  unread: () => import("./unread-pin.ts").then((file) => file.unread),
  pin: () => import("./unread-pin.ts").then((file) => file.pin),
};
