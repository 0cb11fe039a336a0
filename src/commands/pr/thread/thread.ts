import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { orWebPage } from "../../../app/web-instead.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import { reviewComment, reviewCommentResolve, reviewCommentUnresolve } from "../../../forge/review-comments.ts";
import { threadPage } from "./unsupported.ts";

const threads = resource({
  ...inRepository,
  noun: ["thread", "threads"],
  a: "a thread",
  record: reviewComment,
  argument: { key: "id", one: "comment ID", many: "comment IDs", isId: true },
  target: () => (id) => Number(id),
  name: (id: number) => `the thread of comment ${id}`,
});

/** The verbs of `tongs pr thread`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  reply: () => import("./reply.ts").then((file) => file.reply),
  apply: () => import("./apply.ts").then((file) => file.apply),
  resolve: threads.each({
    needs: [reviewCommentResolve],
    verb: ["resolve", "resolved"],
    effect: "write",
    summary: "Resolve threads of a pull request",
    leavesNothing: true,
    work: (id, context) =>
      orWebPage("resolve a thread", threadPage(context), context, () =>
        call(context.http, reviewCommentResolve, { repo: context.repo, id }),
      ),
    examples: [["Resolve the thread of a comment", "tongs pr thread resolve 275"]],
  }),
  unresolve: threads.each({
    needs: [reviewCommentUnresolve],
    verb: ["unresolve", "unresolved"],
    effect: "write",
    summary: "Unresolve threads of a pull request",
    leavesNothing: true,
    work: (id, context) =>
      orWebPage("unresolve a thread", threadPage(context), context, () =>
        call(context.http, reviewCommentUnresolve, { repo: context.repo, id }),
      ),
    examples: [["Unresolve the thread of a comment", "tongs pr thread unresolve 275"]],
  }),
};
