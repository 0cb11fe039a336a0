import pMap from "p-map";
import type { RepositoryContext } from "../../app/context.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { commentedLines, type ReviewComment, reviewCommentList, reviewCountList } from "../../forge/review-comments.ts";

/** Reads the comments on lines of a pull request: the reviews, and the comments of each that has some, in threads. */
export async function lineThreads(
  index: number,
  { http, repo }: RepositoryContext,
): Promise<readonly (readonly ReviewComment[])[]> {
  const reviews = await collect(call(http, reviewCountList, { repo, index }));
  const withComments = reviews.filter(({ comments_count: count }) => count === undefined || count > 0);
  const found = await pMap(withComments, ({ id }) => collect(call(http, reviewCommentList, { repo, index, id })), {
    concurrency: 8,
  });
  return inThreads(found.flat());
}

/** `src/chart.txt:5`, or `src/chart.txt:-15` for a line of the old file; `src/chart.txt:5-7` for several. */
export function place(comment: ReviewComment): string {
  const { path = "", original_position: old = 0, extra_lines_count: more = 0 } = comment;
  const to = (line: number) => (more > 0 ? `${line}-${line + more}` : `${line}`);
  const { first } = commentedLines(comment);
  if (first > 0) return `${path}:${to(first)}`;
  return old > 0 ? `${path}:-${to(old)}` : path;
}

/** The comments of each line, oldest first: the servers return them in no fixed order. */
function inThreads(comments: readonly ReviewComment[]): ReviewComment[][] {
  const threads = new Map<string, ReviewComment[]>();
  for (const comment of [...comments].sort((one, other) => one.id - other.id)) {
    const key = `${comment.pull_request_review_id} ${place(comment)}`;
    threads.set(key, [...(threads.get(key) ?? []), comment]);
  }
  return [...threads.values()].sort(([one], [other]) => compare(one, other));
}

const lineOf = (comment: ReviewComment | undefined) => (comment === undefined ? 0 : commentedLines(comment).first);

function compare(one: ReviewComment | undefined, other: ReviewComment | undefined): number {
  const byPath = (one?.path ?? "").localeCompare(other?.path ?? "");
  return byPath !== 0 ? byPath : lineOf(one) - lineOf(other) || (one?.id ?? 0) - (other?.id ?? 0);
}
