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
  doctor: () => import("./doctor.ts").then((file) => file.doctor),
  pr: noun("Work on pull requests", {
    list: () => import("./pr/list.ts").then((file) => file.list),
    view: () => import("./pr/view.ts").then((file) => file.view),
    diff: () => import("./pr/diff.ts").then((file) => file.diff),
    create: () => import("./pr/create.ts").then((file) => file.create),
    edit: () => import("./pr/edit.ts").then((file) => file.edit),
    close: () => import("./pr/close.ts").then((file) => file.close),
    reopen: () => import("./pr/reopen.ts").then((file) => file.reopen),
    ready: () => import("./pr/ready.ts").then((file) => file.ready),
    merge: () => import("./pr/merge.ts").then((file) => file.merge),
    merged: () => import("./pr/merged.ts").then((file) => file.merged),
    update: () => import("./pr/update.ts").then((file) => file.update),
    commits: () => import("./pr/commits.ts").then((file) => file.commits),
    files: () => import("./pr/files.ts").then((file) => file.files),
    checkout: () => import("./pr/checkout.ts").then((file) => file.checkout),
    checks: () => import("./pr/checks.ts").then((file) => file.checks),
    review: () => import("./pr/review.ts").then((file) => file.review),
    reviews: () => import("./pr/reviews.ts").then((file) => file.reviews),
    comment: () => import("./pr/comment.ts").then((file) => file.comment),
  }),
  repo: noun("Work on repositories", {
    view: () => import("./repo/view.ts").then((file) => file.view),
    list: () => import("./repo/list.ts").then((file) => file.list),
    create: () => import("./repo/create.ts").then((file) => file.create),
    delete: () => import("./repo/delete.ts").then((file) => file.remove),
    clone: () => import("./repo/clone.ts").then((file) => file.clone),
  }),
  user: noun("Manage accounts", {
    list: () => import("./user/list.ts").then((file) => file.list),
    view: () => import("./user/view.ts").then((file) => file.view),
    create: () => import("./user/create.ts").then((file) => file.create),
    edit: () => import("./user/edit.ts").then((file) => file.edit),
    delete: () => import("./user/delete.ts").then((file) => file.remove),
    rename: () => import("./user/rename.ts").then((file) => file.rename),
    import: () => import("./user/import.ts").then((file) => file.importUsers),
    key: noun("Manage public keys of accounts", {
      list: () => import("./user/key/list.ts").then((file) => file.list),
      add: () => import("./user/key/add.ts").then((file) => file.add),
      delete: () => import("./user/key/delete.ts").then((file) => file.remove),
    }),
    badge: noun("Manage badges of accounts", {
      list: () => import("./user/badge/list.ts").then((file) => file.list),
      add: () => import("./user/badge/add.ts").then((file) => file.add),
      remove: () => import("./user/badge/remove.ts").then((file) => file.remove),
    }),
    email: noun("See the mail addresses of accounts", {
      list: () => import("./user/email/list.ts").then((file) => file.list),
    }),
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
  run: noun("See and steer workflow runs", {
    list: () => import("./run/list.ts").then((file) => file.list),
    view: () => import("./run/view.ts").then((file) => file.view),
    jobs: () => import("./run/jobs.ts").then((file) => file.jobs),
    logs: () => import("./run/logs.ts").then((file) => file.logs),
    watch: () => import("./run/watch.ts").then((file) => file.watch),
  }),
  hook: noun("Manage webhooks", {
    list: () => import("./hook/list.ts").then((file) => file.list),
    create: () => import("./hook/create.ts").then((file) => file.create),
    edit: () => import("./hook/edit.ts").then((file) => file.edit),
    delete: () => import("./hook/delete.ts").then((file) => file.remove),
    test: () => import("./hook/test.ts").then((file) => file.test),
  }),
  api: () => import("./api.ts").then((file) => file.api),
  sandbox: () => import("./sandbox.ts").then((file) => file.sandbox),
  completion: () => import("./completion.ts").then((file) => file.completion),
  schema: () => import("./schema.ts").then((file) => file.schema),
  version: () => import("./version.ts").then((file) => file.version),
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
