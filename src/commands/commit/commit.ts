import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs commit`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  note: {
    summary: "View and set notes of commits",
    defaultVerb: "view",
    verbs: () => import("./note/note.ts").then((file) => file.verbs),
  },
  status: {
    summary: "View and set commit statuses",
    verbs: async () => ({
      list: () => import("./status/list.ts").then((file) => file.list),
      set: () => import("./status/set.ts").then((file) => file.set),
    }),
  },
};
