import pMap from "p-map";
import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { choice } from "../../../command/flags.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import {
  type ReviewComment,
  reviewComment,
  reviewCommentList,
  reviewCountList,
} from "../../../forge/review-comments.ts";
import { type Cell, styled } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { findNumber, pullSelector } from "../find.ts";

/** The columns; `firstOf` is the first comment of a comment's thread. */
function columnsOf(firstOf: ReadonlyMap<number, ReviewComment | undefined>) {
  return [
    column<ReviewComment>("ID", "id"),
    column<ReviewComment>("LINE", "path", { cell: place, flexible: true }),
    column<ReviewComment>("AUTHOR", "user.login"),
    column<ReviewComment>("STATE", "id", (one) => stateCell(firstOf.get(one.id) ?? one)),
    column<ReviewComment>("COMMENT", "body", { as: "first line", flexible: true }),
  ];
}

/** The state of a thread, which only its first comment has (docs/server-differences.md, "Reviews"). */
function stateCell({ resolver }: ReviewComment): Cell {
  return resolver == null ? styled("warn", "open") : styled("good", `resolved by ${resolver.login}`);
}

/** `src/chart.txt:5`, or `src/chart.txt:-15` for a line of the old file. */
function place({ path = "", position = 0, original_position: old = 0 }: ReviewComment): string {
  if (position > 0) return `${path}:${position}`;
  return old > 0 ? `${path}:-${old}` : path;
}

/** `tongs pr thread list`: GET the reviews, and the comments of each that has some. */
export const list = defineCommand({
  summary: "List the comments on lines of a pull request",
  details: "Comments on the same line are one thread. A line of the old file is shown with a minus.",
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
    const { http, repo, out, flags } = context;
    const number = await findNumber(context.args.pr, context);
    const reviews = await collect(call(http, reviewCountList, { repo, index: number }));
    const withComments = reviews.filter(({ comments_count: count }) => count === undefined || count > 0);
    const found = await pMap(
      withComments,
      ({ id }) => collect(call(http, reviewCommentList, { repo, index: number, id })),
      {
        concurrency: 8,
      },
    );
    const threads = inThreads(found.flat());
    const wanted = threads.filter(([first]) => {
      if (flags.state === undefined) return true;
      return (first?.resolver != null) === (flags.state === "resolved");
    });
    const firsts = new Map(wanted.flatMap((thread) => thread.map(({ id }) => [id, thread[0]] as const)));
    await out.list(wanted.flat(), columnsOf(firsts));
  },
});

/** The comments of each line, oldest first: the servers return them in no fixed order. */
function inThreads(comments: readonly ReviewComment[]): ReviewComment[][] {
  const threads = new Map<string, ReviewComment[]>();
  for (const comment of [...comments].sort((one, other) => one.id - other.id)) {
    const key = `${comment.pull_request_review_id} ${place(comment)}`;
    threads.set(key, [...(threads.get(key) ?? []), comment]);
  }
  return [...threads.values()].sort(([one], [other]) => compare(one, other));
}

function compare(one: ReviewComment | undefined, other: ReviewComment | undefined): number {
  const byPath = (one?.path ?? "").localeCompare(other?.path ?? "");
  return byPath !== 0 ? byPath : (one?.position ?? 0) - (other?.position ?? 0) || (one?.id ?? 0) - (other?.id ?? 0);
}
