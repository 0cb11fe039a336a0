import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs workflow`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  enable: () => import("./enable.ts").then((file) => file.enable),
  disable: () => import("./enable.ts").then((file) => file.disable),
  run: () => import("./run.ts").then((file) => file.runWorkflow),
};
