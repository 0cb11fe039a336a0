import pMap from "p-map";
import type { RepositoryContext } from "../../app/context.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { commentedLines, type ReviewComment, reviewCommentList, reviewCountList } from "../../forge/review-comments.ts";

type Threads = readonly (readonly ReviewComment[])[];

/** Reads the comments on lines of a pull request, in threads. */
export async function lineThreads(index: number, context: RepositoryContext): Promise<Threads> {
  return (await reviewedThreads(index, context)).threads;
}

/**
 * Reads the reviews of a pull request, and the comments of each that has some, in threads. `heads` are those that the reviews
 * were made at, by their IDs.
 */
export async function reviewedThreads(
  index: number,
  { http, repo }: RepositoryContext,
): Promise<{ readonly threads: Threads; readonly heads: ReadonlyMap<number | undefined, string | undefined> }> {
  const reviews = await collect(call(http, reviewCountList, { repo, index }));
  const withComments = reviews.filter(({ comments_count: count }) => count === undefined || count > 0);
  const found = await pMap(withComments, ({ id }) => collect(call(http, reviewCommentList, { repo, index, id })), {
    concurrency: 8,
  });
  const heads = new Map(reviews.map(({ id, commit_id: commit }) => [id, commit || undefined]));
  return { threads: inThreads(found.flat()), heads };
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
