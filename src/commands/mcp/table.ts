import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs mcp`. */
export const verbs: Table<Command> = {
  serve: () => import("./serve.ts").then((file) => file.serve),
  skill: () => import("./skill.ts").then((file) => file.skill),
};
