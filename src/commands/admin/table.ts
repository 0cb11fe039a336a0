import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs admin`. */
export const verbs: Table<Command> = {
  cron: {
    summary: "List and run cron tasks",
    verbs: async () => ({
      list: () => import("./cron/list.ts").then((file) => file.list),
      run: () => import("./cron/run.ts").then((file) => file.runTask),
    }),
  },
  org: {
    summary: "List and create organizations",
    verbs: async () => ({
      list: () => import("./org/list.ts").then((file) => file.list),
      create: () => import("./org/create.ts").then((file) => file.create),
    }),
  },
  unadopted: {
    summary: "Adopt or delete repositories on disk",
    verbs: async () => ({
      list: () => import("./unadopted/list.ts").then((file) => file.list),
      adopt: () => import("./unadopted/adopt-delete.ts").then((file) => file.adopt),
      delete: () => import("./unadopted/adopt-delete.ts").then((file) => file.remove),
    }),
  },
  email: {
    summary: "List users' email addresses",
    verbs: async () => ({
      list: () => import("./email/list.ts").then((file) => file.list),
    }),
  },
};
