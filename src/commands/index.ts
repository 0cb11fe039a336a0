import type { Aliases } from "../command/route.ts";
import { noun, type Table } from "../command/table.ts";

/** Every command: one line each. Nothing is loaded before it is called. */
export const table: Table = {
  auth: noun("Sign in and out", {
    login: () => import("./auth/login.ts").then((file) => file.login),
    status: () => import("./auth/status.ts").then((file) => file.status),
    token: () => import("./auth/token.ts").then((file) => file.token),
    logout: () => import("./auth/logout.ts").then((file) => file.logout),
  }),
  profile: noun("Keep the ways to several servers", {
    list: () => import("./profile/list.ts").then((file) => file.list),
    show: () => import("./profile/show.ts").then((file) => file.show),
    use: () => import("./profile/use.ts").then((file) => file.use),
    set: () => import("./profile/set.ts").then((file) => file.set),
    rename: () => import("./profile/rename.ts").then((file) => file.rename),
    delete: () => import("./profile/delete.ts").then((file) => file.remove),
  }),
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
  doctor: () => import("./doctor.ts").then((file) => file.doctor),
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
