import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs template`. */
export const verbs: Table<Command> = {
  gitignore: {
    summary: "View .gitignore templates",
    verbs: async () => ({
      list: () => import("./gitignore.ts").then((file) => file.list),
      view: () => import("./gitignore.ts").then((file) => file.view),
    }),
  },
  license: {
    summary: "View licenses",
    verbs: async () => ({
      list: () => import("./license.ts").then((file) => file.list),
      view: () => import("./license.ts").then((file) => file.view),
    }),
  },
  label: {
    summary: "View label templates",
    verbs: async () => ({
      list: () => import("./label.ts").then((file) => file.list),
      view: () => import("./label.ts").then((file) => file.view),
    }),
  },
};
