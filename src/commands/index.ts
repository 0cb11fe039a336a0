import type { Aliases } from "../command/route.ts";
import { noun, type Table } from "../command/table.ts";

/** Every command: one line each. Nothing is loaded before it is called. */
export const table: Table = {
  pr: noun("Work on pull requests", {
    list: () => import("./pr/list.ts").then((file) => file.list),
    view: () => import("./pr/view.ts").then((file) => file.view),
  }),
  star: noun(
    "Star repositories",
    {
      add: () => import("./star/add.ts").then((file) => file.add),
      remove: () => import("./star/remove.ts").then((file) => file.remove),
      list: () => import("./star/list.ts").then((file) => file.list),
      check: () => import("./star/check.ts").then((file) => file.check),
    },
    "add",
  ),
  follow: noun(
    "Follow users",
    {
      add: () => import("./follow/add.ts").then((file) => file.add),
      remove: () => import("./follow/remove.ts").then((file) => file.remove),
      list: () => import("./follow/list.ts").then((file) => file.list),
      followers: () => import("./follow/followers.ts").then((file) => file.followers),
      check: () => import("./follow/check.ts").then((file) => file.check),
    },
    "add",
  ),
  metrics: noun("Read, write and serve collectd readings", {
    decode: () => import("./metrics/decode.ts").then((file) => file.decode),
    encode: () => import("./metrics/encode.ts").then((file) => file.encode),
    stat: () => import("./metrics/stat.ts").then((file) => file.stat),
    plot: () => import("./metrics/plot.ts").then((file) => file.plot),
    serve: () => import("./metrics/serve.ts").then((file) => file.serve),
    push: () => import("./metrics/push.ts").then((file) => file.push),
  }),
};

/** Other spellings, accepted silently where they cannot be misread. */
export const aliases: Aliases = {
  commands: {
    login: "auth login",
    logout: "auth logout",
    "pr update-branch": "pr update",
    unstar: "star remove",
    unfollow: "follow remove",
  },
  verbs: { ls: ["list"], rm: ["delete", "remove"] },
};
