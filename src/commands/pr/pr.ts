import type { Command } from "../../app/define.ts";
import { noun, type Table } from "../../command/table.ts";

/** The verbs of `tongs pr`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  diff: () => import("./diff.ts").then((file) => file.diff),
  create: () => import("./create.ts").then((file) => file.create),
  push: () => import("./push.ts").then((file) => file.push),
  edit: () => import("./edit.ts").then((file) => file.edit),
  close: () => import("./close-reopen.ts").then((file) => file.close),
  reopen: () => import("./close-reopen.ts").then((file) => file.reopen),
  ready: () => import("./ready.ts").then((file) => file.ready),
  merge: () => import("./merge.ts").then((file) => file.merge),
  merged: () => import("./merged.ts").then((file) => file.merged),
  revert: () => import("./revert.ts").then((file) => file.revert),
  update: () => import("./update.ts").then((file) => file.update),
  commits: () => import("./lists.ts").then((file) => file.commits()),
  files: () => import("./lists.ts").then((file) => file.files()),
  checkout: () => import("./checkout.ts").then((file) => file.checkout),
  checks: () => import("./checks.ts").then((file) => file.checks),
  review: noun("Review pull requests", () => import("./review/review.ts"), { defaultVerb: "add", standsAlone: true }),
  reviews: () => import("./lists.ts").then((file) => file.reviews()),
  comment: () => import("./comment.ts").then((file) => file.comment),
  why: () => import("./why.ts").then((file) => file.why),
  stack: () => import("./stack.ts").then((file) => file.stack),
  status: () => import("./status.ts").then((file) => file.status),
  lock: () => import("./lock.ts").then((file) => file.lock()),
  unlock: () => import("./lock.ts").then((file) => file.unlock()),
  thread: noun("Manage review comments on pull requests", () => import("./thread/thread.ts")),
};
