import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs repo`. */
export const verbs: Table<Command> = {
  view: () => import("./view.ts").then((file) => file.view),
  list: () => import("./list.ts").then((file) => file.list),
  create: () => import("./create.ts").then((file) => file.create),
  delete: () => import("./delete.ts").then((file) => file.remove),
  clone: () => import("./clone.ts").then((file) => file.clone),
  activity: () => import("./activity.ts").then((file) => file.activity),
  fork: () => import("./fork.ts").then((file) => file.fork),
  sync: () => import("./sync.ts").then((file) => file.sync),
  "set-default": () => import("./set-default.ts").then((file) => file.setDefault),
  edit: () => import("./edit.ts").then((file) => file.edit),
  rename: () => import("./rename.ts").then((file) => file.rename),
  archive: () => import("./archive.ts").then((file) => file.archive),
  unarchive: () => import("./archive.ts").then((file) => file.unarchive),
  transfer: {
    summary: "Transfer repositories to another owner",
    defaultVerb: "start",
    verbs: async () => ({
      start: () => import("./transfer/start.ts").then((file) => file.start),
      accept: () => import("./transfer/answer.ts").then((file) => file.accept),
      reject: () => import("./transfer/answer.ts").then((file) => file.reject),
    }),
  },
  topic: {
    summary: "Manage repository topics",
    verbs: async () => ({
      list: () => import("./topic/list.ts").then((file) => file.list),
      add: () => import("./topic/add-remove.ts").then((file) => file.add),
      remove: () => import("./topic/add-remove.ts").then((file) => file.remove),
    }),
  },
  collaborator: {
    summary: "Manage repository collaborators",
    verbs: async () => ({
      list: () => import("./collaborator/list.ts").then((file) => file.list),
      add: () => import("./collaborator/add-remove.ts").then((file) => file.add),
      remove: () => import("./collaborator/add-remove.ts").then((file) => file.remove),
      check: () => import("./collaborator/permission.ts").then((file) => file.check),
      permission: () => import("./collaborator/permission.ts").then((file) => file.permission),
    }),
  },
  team: {
    summary: "Manage team access to repositories",
    verbs: async () => ({
      list: () => import("./team/list.ts").then((file) => file.list),
      add: () => import("./team/add-remove.ts").then((file) => file.add),
      remove: () => import("./team/add-remove.ts").then((file) => file.remove),
      check: () => import("./team/list.ts").then((file) => file.check),
    }),
  },
  "deploy-key": {
    summary: "Manage deploy keys",
    verbs: () => import("./deploy-key/deploy-key.ts").then((file) => file.verbs),
  },
  mirror: {
    summary: "Manage push mirrors and pull mirrors",
    verbs: async () => ({
      list: () => import("./mirror/list.ts").then((file) => file.list),
      view: () => import("./mirror/list.ts").then((file) => file.view),
      add: () => import("./mirror/add.ts").then((file) => file.add),
      delete: () => import("./mirror/delete.ts").then((file) => file.remove),
      sync: () => import("./mirror/sync.ts").then((file) => file.sync),
      pull: () => import("./mirror/sync.ts").then((file) => file.pull),
    }),
  },
  avatar: {
    summary: "Manage repository avatars",
    verbs: async () => ({
      set: () => import("./avatar.ts").then((file) => file.set),
      delete: () => import("./avatar.ts").then((file) => file.remove),
    }),
  },
  watch: () => import("./watch.ts").then((file) => file.watch),
  unwatch: () => import("./watch.ts").then((file) => file.unwatch),
  stargazers: () => import("./people.ts").then((file) => file.stargazers),
  watchers: () => import("./people.ts").then((file) => file.watchers),
  forks: () => import("./people.ts").then((file) => file.forks),
  license: () => import("./contents.ts").then((file) => file.license),
  language: () => import("./contents.ts").then((file) => file.language),
  generate: () => import("./generate.ts").then((file) => file.generate),
  migrate: () => import("./migrate.ts").then((file) => file.migrate),
};
