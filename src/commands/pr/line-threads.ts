import pMap from "p-map";
import type { RepositoryContext } from "../../app/context.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { pullGet } from "../../forge/pulls.ts";
import {
  commentedLines,
  type LineRange,
  type ReviewComment,
  reviewCommentList,
  reviewCountList,
} from "../../forge/review-comments.ts";
import { listEvents, type TimelineEvent } from "../../forge/timeline.ts";
import { ifVisible } from "../../http/errors.ts";
import { linesIn } from "./moved-lines.ts";

type Comments = readonly ReviewComment[];

/** Comments on the same lines of a file. */
export interface Thread {
  /** Oldest first. */
  readonly comments: Comments;
  readonly path: string;
  /** The lines in the head now, or in the old file; 0 if there are none. */
  readonly lines: LineRange;
  readonly isOld: boolean;
  /** Whether the lines were changed since: their numbers are those of then. */
  readonly isOutdated: boolean;
}

/**
 * Reads the comments on lines of a pull request, in threads, in the order of their lines. Where the head was another one when a
 * thread was started, its file is read in both, for the lines that it is about now; not if only records are wanted, which have
 * the lines of then.
 */
export async function lineThreads(
  index: number,
  context: RepositoryContext,
  { onlyRecords = false }: { readonly onlyRecords?: boolean } = {},
): Promise<Thread[]> {
  const { http, repo } = context;
  const reviewed = await reviewedThreads(index, context);
  const { threads } = reviewed;
  const commits = onlyRecords ? new Map<number, string>() : await countedIn(reviewed, index, context);
  const made = threads.flatMap(([comment]) => {
    const commit = comment && commits.get(comment.id);
    if (comment === undefined || commit === undefined || commentedLines(comment).first === 0) return [];
    return [{ comment, commit }];
  });
  const head = onlyRecords || made.length === 0 ? undefined : (await call(http, pullGet, { repo, index })).head.sha;
  const earlier = head === undefined ? [] : made.filter(({ commit }) => commit !== head);
  const found = head === undefined ? [] : await linesIn(head, earlier, context);
  const now = new Map(earlier.map(({ comment: { id } }, at) => [id, found[at]]));
  return threads.flatMap((comments) => threadOf(comments, now)).sort(compare);
}

/** `now` are the lines of first comments that were made at earlier heads, by their IDs. */
function threadOf(comments: Comments, now: ReadonlyMap<number, LineRange | undefined>): Thread[] {
  const [comment] = comments;
  if (comment === undefined) return [];
  const { id, path = "", original_position: old = 0, extra_lines_count: more = 0 } = comment;
  const lines = commentedLines(comment);
  if (lines.first === 0 && old > 0)
    return [{ comments, path, lines: { first: old, last: old + more }, isOld: true, isOutdated: false }];
  const isOutdated = now.has(id) && now.get(id) === undefined;
  return [{ comments, path, lines: now.get(id) ?? lines, isOld: false, isOutdated }];
}

interface Reviewed {
  readonly threads: readonly Comments[];
  readonly heads: ReadonlyMap<number | undefined, string | undefined>;
}

/**
 * Reads the reviews of a pull request, and the comments of each that has some, in threads. `heads` are those that the reviews
 * were made at, by their IDs.
 */
export async function reviewedThreads(index: number, { http, repo }: RepositoryContext): Promise<Reviewed> {
  const reviews = await collect(call(http, reviewCountList, { repo, index }));
  const withComments = reviews.filter(({ comments_count: count }) => count === undefined || count > 0);
  const found = await pMap(withComments, ({ id }) => collect(call(http, reviewCommentList, { repo, index, id })), {
    concurrency: 8,
  });
  const heads = new Map(reviews.map(({ id, commit_id: commit }) => [id, commit || undefined]));
  return { threads: inThreads(found.flat()), heads };
}

/**
 * The commits in which the lines of comments count, by the IDs of the comments: the head when their thread was started. That is
 * the head of their review, but if it was pending across a push, the last one that was pushed before the thread; the IDs of
 * pushes and comments are in one order (docs/server-differences.md, "Reviews").
 */
export async function countedIn(
  { threads, heads }: Reviewed,
  index: number,
  { http, repo }: RepositoryContext,
): Promise<ReadonlyMap<number, string>> {
  const made = threads.flatMap((comments) => {
    const [first] = comments;
    const head = heads.get(first?.pull_request_review_id);
    return first === undefined || head === undefined ? [] : [{ comments, first, head }];
  });
  const isElsewhere = made.some(({ first: { commit_id: wrote }, head }) => wrote && wrote !== head);
  const events = isElsewhere ? await ifVisible(collect(listEvents(http, repo, index, {}))) : undefined;
  const pushes = (events ?? []).flatMap((event) => pushOf(event) ?? []);
  return new Map(
    made.flatMap(({ comments, first: { id, commit_id: wrote }, head }) => {
      const isLater = pushes.some((push) => push.id > id && push.commits.at(-1) === head);
      const before = pushes.findLast((push) => push.id < id || (wrote !== undefined && push.commits.includes(wrote)));
      const commit = wrote && wrote !== head && isLater ? (before?.commits.at(-1) ?? wrote) : head;
      return comments.map((one) => [one.id, commit] as const);
    }),
  );
}

/** The commits of a push to the head, the new head last; undefined for other events. */
function pushOf(event: TimelineEvent | null): { readonly id: number; readonly commits: readonly string[] } | undefined {
  if (event?.type !== "pull_push") return undefined;
  try {
    const { commit_ids: commits } = JSON.parse(event.body ?? "") as { readonly commit_ids?: unknown };
    return Array.isArray(commits) ? { id: event.id, commits } : undefined;
  } catch {
    return undefined;
  }
}

/** `src/chart.txt:5`, or `src/chart.txt:-15` for a line of the old file; `src/chart.txt:5-7` for several. */
export function place({ path, lines: { first, last }, isOld, isOutdated }: Thread): string {
  if (first === 0) return path;
  const range = last > first ? `${first}-${last}` : `${first}`;
  return `${path}:${isOld ? "-" : ""}${range}${isOutdated ? " (outdated)" : ""}`;
}

/** The comments of each line, oldest first: the servers return them in no fixed order. */
function inThreads(comments: Comments): ReviewComment[][] {
  const threads = new Map<string, ReviewComment[]>();
  for (const comment of [...comments].sort((one, other) => one.id - other.id)) {
    const { pull_request_review_id: review, path, original_position: old, extra_lines_count: more } = comment;
    const key = JSON.stringify([review, path, commentedLines(comment), old, more]);
    threads.set(key, [...(threads.get(key) ?? []), comment]);
  }
  return [...threads.values()];
}

function compare(one: Thread, other: Thread): number {
  const lineOf = ({ isOld, lines }: Thread) => (isOld ? 0 : lines.first);
  const byPath = one.path.localeCompare(other.path);
  return byPath !== 0
    ? byPath
    : lineOf(one) - lineOf(other) || (one.comments[0]?.id ?? 0) - (other.comments[0]?.id ?? 0);
}
