import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs policy`. */
export const verbs: Table<Command> = {
  schema: () => import("./schema.ts").then((file) => file.schema),
  export: () => import("./export.ts").then((file) => file.exportPolicy),
  check: () => import("./plan.ts").then((file) => file.check),
  plan: () => import("./plan.ts").then((file) => file.plan),
  access: () => import("./access.ts").then((file) => file.access),
  audit: () => import("./audit/audit.ts").then((file) => file.audit),
  apply: () => import("./apply.ts").then((file) => file.apply),
};
