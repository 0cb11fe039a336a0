import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { Unchanged } from "../../../app/result.ts";
import { orWebPage } from "../../../app/web-instead.ts";
import { text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import { reviewComment, reviewCommentResolve, reviewCommentUnresolve } from "../../../forge/review-comments.ts";
import { findFlagNumber } from "../find.ts";
import { reviewedThreads } from "../line-threads.ts";
import { noComment, threadPage } from "./unsupported.ts";

/** A thread by one of its comments. Only the reviews of its pull request tell whether it is resolved: undefined without `--pr`. */
interface Selected {
  readonly id: number;
  readonly isResolved: boolean | undefined;
}

const threads = resource({
  ...inRepository,
  noun: ["thread", "threads"],
  a: "a thread",
  record: reviewComment,
  argument: { key: "id", one: "comment ID", many: "comment IDs", isId: true },
  flags: {
    pr: text("their pull request, to check whether they are resolved already", { placeholder: "PR", source: "pull" }),
  },
  async target(context) {
    const { pr } = context.flags;
    if (pr === undefined) return (id): Selected => ({ id: Number(id), isResolved: undefined });
    const number = await findFlagNumber(pr, context, "comment");
    const found = (await reviewedThreads(number, context)).threads;
    return (id): Selected => {
      const thread = found.find((comments) => comments.some((one) => one.id === Number(id)));
      if (thread === undefined) throw noComment(id, number, context);
      return { id: Number(id), isResolved: thread.some(({ resolver }) => resolver != null) };
    };
  },
  name: ({ id }: Selected) => `the thread of comment ${id}`,
});

/** What is said of a thread afterwards; what is true both ways, if what was before is not known. */
const settled =
  (done: string, is: string) =>
  (name: string, where: string, _context: unknown, { id, isResolved }: Selected): string =>
    isResolved === undefined ? `Comment ${id} in ${where} is ${is}` : `${done} ${name} in ${where}`;

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
    says: settled("Resolved", "resolved"),
    async work({ id, isResolved }, context) {
      if (isResolved === true) return new Unchanged(`The thread of comment ${id} was already resolved`);
      return orWebPage("resolve a thread", threadPage(context), context, () =>
        call(context.http, reviewCommentResolve, { repo: context.repo, id }),
      );
    },
    examples: [["Resolve the thread of a comment", "tongs pr thread resolve 275"]],
  }),
  unresolve: threads.each({
    needs: [reviewCommentUnresolve],
    verb: ["unresolve", "unresolved"],
    effect: "write",
    summary: "Unresolve threads of a pull request",
    leavesNothing: true,
    says: settled("Unresolved", "not resolved"),
    async work({ id, isResolved }, context) {
      if (isResolved === false) return new Unchanged(`The thread of comment ${id} was not resolved`);
      return orWebPage("unresolve a thread", threadPage(context), context, () =>
        call(context.http, reviewCommentUnresolve, { repo: context.repo, id }),
      );
    },
    examples: [["Unresolve the thread of a comment", "tongs pr thread unresolve 275"]],
  }),
};
