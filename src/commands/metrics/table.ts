import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs metrics`. */
export const verbs: Table<Command> = {
  decode: () => import("./decode.ts").then((file) => file.decode),
  encode: () => import("./encode.ts").then((file) => file.encode),
  import: () => import("./import.ts").then((file) => file.importReadings),
  stat: () => import("./stat.ts").then((file) => file.stat),
  plot: () => import("./plot.ts").then((file) => file.plot),
  check: () => import("./check.ts").then((file) => file.check),
  top: () => import("./top.ts").then((file) => file.top),
  report: () => import("./report.ts").then((file) => file.report),
  serve: () => import("./serve.ts").then((file) => file.serve),
  listen: () => import("./listen.ts").then((file) => file.listen),
  forge: () => import("./forge.ts").then((file) => file.forge),
  push: () => import("./push.ts").then((file) => file.push),
  query: () => import("./query.ts").then((file) => file.query),
};
