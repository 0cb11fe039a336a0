import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs issue`. */
export const verbs: Table<Command> = {
  status: () => import("./status.ts").then((file) => file.status),
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  close: () => import("./close-reopen.ts").then((file) => file.close),
  reopen: () => import("./close-reopen.ts").then((file) => file.reopen),
  comment: () => import("./comment.ts").then((file) => file.comment),
  delete: () => import("./delete.ts").then((file) => file.remove),
  lock: () => import("./lock.ts").then((file) => file.lock),
  unlock: () => import("./lock.ts").then((file) => file.unlock),
  pin: () => import("./pin.ts").then((file) => file.pin),
  unpin: () => import("./pin.ts").then((file) => file.unpin),
  pinned: () => import("./pin.ts").then((file) => file.pinned),
  block: {
    summary: "Manage the issues that an issue blocks",
    verbs: async () => ({
      list: () => import("./dependency.ts").then((file) => file.block.list),
      add: () => import("./dependency.ts").then((file) => file.block.add),
      remove: () => import("./dependency.ts").then((file) => file.block.remove),
    }),
  },
  dependency: {
    summary: "Manage the issues that an issue depends on",
    verbs: async () => ({
      list: () => import("./dependency.ts").then((file) => file.dependency.list),
      add: () => import("./dependency.ts").then((file) => file.dependency.add),
      remove: () => import("./dependency.ts").then((file) => file.dependency.remove),
    }),
  },
  template: {
    summary: "View issue templates",
    verbs: async () => ({
      list: () => import("./template.ts").then((file) => file.list),
      view: () => import("./template.ts").then((file) => file.view),
    }),
  },
  config: () => import("./template.ts").then((file) => file.config),
  start: () => import("./stopwatch.ts").then((file) => file.start),
  stop: () => import("./stopwatch.ts").then((file) => file.stop),
  time: {
    summary: "Manage tracked times",
    verbs: async () => ({
      list: () => import("./time.ts").then((file) => file.list),
      add: () => import("./time.ts").then((file) => file.add),
      delete: () => import("./time.ts").then((file) => file.remove),
    }),
  },
  reaction: {
    summary: "React to issues",
    verbs: async () => ({
      list: () => import("./reaction.ts").then((file) => file.ofIssue.list),
      add: () => import("./reaction.ts").then((file) => file.ofIssue.add),
      remove: () => import("./reaction.ts").then((file) => file.ofIssue.remove),
    }),
  },
  subscribe: () => import("./subscribe.ts").then((file) => file.subscribe),
  unsubscribe: () => import("./subscribe.ts").then((file) => file.unsubscribe),
  timeline: () => import("./timeline.ts").then((file) => file.timeline),
  attachment: {
    summary: "Manage issue attachments",
    verbs: async () => ({
      list: () => import("./attachment.ts").then((file) => file.list),
      upload: () => import("./attachment.ts").then((file) => file.upload),
      download: () => import("./attachment-download.ts").then((file) => file.download),
      rename: () => import("./attachment.ts").then((file) => file.rename),
      delete: () => import("./attachment.ts").then((file) => file.remove),
    }),
  },
};
