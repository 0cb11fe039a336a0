import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs release`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  download: () => import("./download.ts").then((file) => file.download),
  upload: () => import("./upload.ts").then((file) => file.upload),
  "delete-asset": () => import("./delete-asset.ts").then((file) => file.deleteAsset),
};
