import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { Unchanged } from "../../../app/result.ts";
import { orWebPage } from "../../../app/web-instead.ts";
import { text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import { reviewComment, reviewCommentResolve, reviewCommentUnresolve } from "../../../forge/review-comments.ts";
import { capitalized } from "../../../text/format.ts";
import { findFlagNumber } from "../find.ts";
import { noComment, reviewedThreads, threadPage } from "../line-threads.ts";

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

/** The verb that makes threads resolved or open. What is said is true both ways, if what was before is not known. */
const settle = (verb: "resolve" | "unresolve") => {
  const resolves = verb === "resolve";
  const sends = resolves ? reviewCommentResolve : reviewCommentUnresolve;
  const [done, was] = resolves ? ["Resolved", "already resolved"] : ["Unresolved", "not resolved"];
  return threads.each({
    needs: [sends],
    verb: [verb, `${verb}d`],
    summary: `${capitalized(verb)} threads of a pull request`,
    leavesNothing: true,
    says: (name, where, _context, { id, isResolved }) =>
      isResolved === undefined
        ? `Comment ${id} in ${where} is ${resolves ? "resolved" : "not resolved"}`
        : `${done} ${name} in ${where}`,
    async work({ id, isResolved }, context) {
      if (isResolved === resolves) return new Unchanged(`The thread of comment ${id} was ${was}`);
      return orWebPage(`${verb} a thread`, threadPage(context), context, () =>
        call(context.http, sends, { repo: context.repo, id }),
      );
    },
    examples: [[`${capitalized(verb)} the thread of a comment`, `tongs pr thread ${verb} 275`]],
  });
};

/** The verbs of `tongs pr thread`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  reply: () => import("./reply.ts").then((file) => file.reply),
  apply: () => import("./apply.ts").then((file) => file.apply),
  resolve: settle("resolve"),
  unresolve: settle("unresolve"),
};
