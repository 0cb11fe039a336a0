import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs search`. */
export const verbs: Table<Command> = {
  repo: () => import("./repo.ts").then((file) => file.repo),
  user: () => import("./user.ts").then((file) => file.user),
  issue: () => import("./issue.ts").then((file) => file.issue),
  topic: () => import("./topic.ts").then((file) => file.topic),
};
