import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { choice } from "../../../command/flags.ts";
import { type ReviewComment, reviewComment } from "../../../forge/review-comments.ts";
import { type Cell, styled } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { findNumber, pullSelector } from "../find.ts";
import { lineThreads, place, type Thread } from "../line-threads.ts";

/** The columns; `threadOf` are the threads of the comments, by their IDs. */
function columnsOf(threadOf: ReadonlyMap<number, Thread>) {
  const placeOf = ({ id, path = "" }: ReviewComment) => {
    const thread = threadOf.get(id);
    return thread === undefined ? path : place(thread);
  };
  return [
    column<ReviewComment>("ID", "id"),
    column<ReviewComment>("LINE", "path", { cell: placeOf, flexible: true }),
    column<ReviewComment>("AUTHOR", "user.login"),
    column<ReviewComment>("STATE", "id", (one) => stateCell(threadOf.get(one.id)?.comments[0] ?? one)),
    column<ReviewComment>("COMMENT", "body", { as: "first line", flexible: true }),
  ];
}

/** The state of a thread, which only its first comment has (docs/server-differences.md, "Reviews"). */
function stateCell({ resolver }: ReviewComment): Cell {
  return resolver == null ? styled("warn", "open") : styled("good", `resolved by ${resolver.login}`);
}

/** `tongs pr thread list`: GET the reviews, and the comments of each that has some. */
export const list = defineCommand({
  summary: "List the comments on lines of a pull request",
  details:
    "Comments on the same line are one thread. A line of the old file is shown with a minus. Line numbers are those of the " +
    "current head; a line that was changed after the comment keeps its old number, marked (outdated).",
  on: "repository",
  effect: "read",
  lists: ["comment on lines", "comments on lines"],
  args: { pr: pullSelector },
  flags: { state: choice(["open", "resolved"], "filter by state of the thread", { short: "s", filters: "state" }) },
  output: listOf(reviewComment),
  examples: [
    ["List the comments on lines of pull request 12", "tongs pr thread list 12"],
    ["List what is still open", "tongs pr thread list --state open"],
  ],
  web: { page: async (context) => repoPage(context.repo, "pulls", await findNumber(context.args.pr, context)) },
  async run(context) {
    const { out, flags } = context;
    const threads = await lineThreads(await findNumber(context.args.pr, context), context, {
      onlyRecords: out.records,
    });
    const wanted = threads.filter(({ comments: [first] }) => {
      if (flags.state === undefined) return true;
      return (first?.resolver != null) === (flags.state === "resolved");
    });
    const threadOf = new Map(wanted.flatMap((thread) => thread.comments.map(({ id }) => [id, thread] as const)));
    await out.list(
      wanted.flatMap(({ comments }) => comments),
      columnsOf(threadOf),
    );
  },
});
