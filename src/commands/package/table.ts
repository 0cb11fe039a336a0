import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs package`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  files: () => import("./files.ts").then((file) => file.files),
  upload: () => import("./upload.ts").then((file) => file.upload),
  download: () => import("./download.ts").then((file) => file.download),
  delete: () => import("./delete.ts").then((file) => file.remove),
  link: () => import("./link-unlink.ts").then((file) => file.link),
  unlink: () => import("./link-unlink.ts").then((file) => file.unlink),
};
