import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs team`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  activity: () => import("./activity.ts").then((file) => file.activity),
  member: {
    summary: "Manage team members",
    verbs: () => import("./member/member.ts").then((file) => file.verbs),
  },
  repo: {
    summary: "Manage team repositories",
    verbs: () => import("./repo/repo.ts").then((file) => file.verbs),
  },
};
