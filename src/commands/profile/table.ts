import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs profile`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  show: () => import("./show.ts").then((file) => file.show),
  use: () => import("./use.ts").then((file) => file.use),
  set: () => import("./set.ts").then((file) => file.set),
  rename: () => import("./rename.ts").then((file) => file.rename),
  delete: () => import("./delete.ts").then((file) => file.remove),
};
