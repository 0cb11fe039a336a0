import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs run`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  jobs: () => import("./jobs.ts").then((file) => file.jobs),
  logs: () => import("./logs.ts").then((file) => file.logs),
  watch: () => import("./watch.ts").then((file) => file.watch),
  why: () => import("./why.ts").then((file) => file.why),
  rerun: () => import("./rerun.ts").then((file) => file.rerun),
  cancel: () => import("./cancel.ts").then((file) => file.cancel),
  approve: () => import("./approve.ts").then((file) => file.approve),
  delete: () => import("./delete.ts").then((file) => file.remove),
  download: () => import("./download.ts").then((file) => file.download),
  digest: () => import("./digest.ts").then((file) => file.digest),
};
