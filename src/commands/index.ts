import type { Aliases } from "../command/route.ts";
import { noun, type Table } from "../command/table.ts";

/** Every command: one line each. Nothing is loaded before it is called. */
export const table: Table = {
  pr: noun("Work on pull requests", {
    list: () => import("./pr/list.ts").then((file) => file.list),
    view: () => import("./pr/view.ts").then((file) => file.view),
    edit: () => import("./pr/edit.ts").then((file) => file.edit),
    close: () => import("./pr/close.ts").then((file) => file.close),
    reopen: () => import("./pr/reopen.ts").then((file) => file.reopen),
    ready: () => import("./pr/ready.ts").then((file) => file.ready),
    merge: () => import("./pr/merge.ts").then((file) => file.merge),
    merged: () => import("./pr/merged.ts").then((file) => file.merged),
    update: () => import("./pr/update.ts").then((file) => file.update),
  }),
  repo: noun("Work on repositories", {
    view: () => import("./repo/view.ts").then((file) => file.view),
    list: () => import("./repo/list.ts").then((file) => file.list),
    create: () => import("./repo/create.ts").then((file) => file.create),
    delete: () => import("./repo/delete.ts").then((file) => file.remove),
  }),
};

/** Other spellings, accepted silently where they cannot be misread. */
export const aliases: Aliases = {
  commands: {
    login: "auth login",
    logout: "auth logout",
    "pr update-branch": "pr update",
  },
  verbs: { ls: ["list"], rm: ["delete", "remove"] },
};
