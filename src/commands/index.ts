import type { Aliases } from "../command/route.ts";
import { noun, type Table } from "../command/table.ts";

/** Every command: one line each. Nothing is loaded before it is called. */
export const table: Table = {
  pr: noun("Work on pull requests", {
    checkout: () => import("./pr/checkout.ts").then((file) => file.checkout),
    checks: () => import("./pr/checks.ts").then((file) => file.checks),
    comment: () => import("./pr/comment.ts").then((file) => file.comment),
    commits: () => import("./pr/commits.ts").then((file) => file.commits),
    diff: () => import("./pr/diff.ts").then((file) => file.diff),
    files: () => import("./pr/files.ts").then((file) => file.files),
    list: () => import("./pr/list.ts").then((file) => file.list),
    review: () => import("./pr/review.ts").then((file) => file.review),
    reviews: () => import("./pr/reviews.ts").then((file) => file.reviews),
    view: () => import("./pr/view.ts").then((file) => file.view),
  }),
  repo: noun("Work on repositories", {
    clone: () => import("./repo/clone.ts").then((file) => file.clone),
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
