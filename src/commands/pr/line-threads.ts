import pMap from "p-map";
import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { contentBytes } from "../../forge/contents.ts";
import { collect } from "../../forge/listings.ts";
import { type FileEntry, lookUpFiles } from "../../forge/many-files.ts";
import { call } from "../../forge/operation.ts";
import { pullGet } from "../../forge/pulls.ts";
import {
  commentedLines,
  hunkLines,
  type LineRange,
  type ReviewComment,
  reviewCommentList,
  reviewCountList,
} from "../../forge/review-comments.ts";
import { ifVisible } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { once } from "../../system/concurrency.ts";
import { lineAfter } from "../../text/line-after.ts";
import { pullName } from "./pull.ts";

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
  const { threads, heads } = await reviewedThreads(index, context);
  const made = threads.flatMap(([comment]) => {
    const commit = comment && heads.get(comment.pull_request_review_id);
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

/**
 * Reads the reviews of a pull request, and the comments of each that has some, in threads. `heads` are those that the reviews
 * were made at, by their IDs.
 */
export async function reviewedThreads(index: number, { http, repo }: RepositoryContext) {
  const reviews = await collect(call(http, reviewCountList, { repo, index }));
  const withComments = reviews.filter(({ comments_count: count }) => count === undefined || count > 0);
  const found = await pMap(withComments, ({ id }) => collect(call(http, reviewCommentList, { repo, index, id })), {
    concurrency: 8,
  });
  const heads = new Map<number | undefined, string | undefined>(
    reviews.map(({ id, commit_id }) => [id, commit_id || undefined]),
  );
  return { threads: inThreads(found.flat()), heads };
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

/** A comment on lines of a file, as they were in a commit. */
interface EarlierLines {
  readonly comment: ReviewComment;
  readonly commit: string;
}

/**
 * Where the lines of comments are in a later commit, in the same order; undefined for those that were changed, or if that
 * is not certain. A file is read once in each commit.
 */
function linesIn(
  head: string,
  all: readonly EarlierLines[],
  context: Pick<RepositoryContext, "http" | "repo">,
): Promise<(LineRange | undefined)[]> {
  const read = fileReader(head, all, context);
  return pMap(
    all,
    async ({ comment, commit }) => {
      const { path = "" } = comment;
      const [then, now] = await Promise.all([read(commit, path), read(head, path)]);
      const lines = commentedLines(comment);
      if (then === undefined || now === undefined) return undefined;
      if (then.sha !== undefined && then.sha === now.sha) return lines;
      return rangeAfter(textOf(then), textOf(now), lines, hunkLines(comment).at(-1));
    },
    { concurrency: 8 },
  );
}

type Read = (path: string) => Promise<FileEntry | undefined>;

/** Reads files of commits, each once; undefined for one that is gone, or whose commit is. */
function fileReader(
  head: string,
  all: readonly EarlierLines[],
  { http, repo }: Pick<RepositoryContext, "http" | "repo">,
): (commit: string, path: string) => Promise<FileEntry | undefined> {
  const lookUps = new Map<string, Read>();
  for (const ref of new Set([head, ...all.map(({ commit }) => commit)])) {
    const own = all.filter(({ commit }) => ref === head || commit === ref);
    const paths = [...new Set(own.map(({ comment }) => comment.path ?? ""))];
    lookUps.set(ref, lookUpFiles(http, repo, { paths, ref }));
  }
  const read = async (commit: string, path: string) => {
    const lookUp = lookUps.get(commit);
    return lookUp && ifVisible(lookUp(path));
  };
  return once((commit, path) => `${commit}:${path}`, read);
}

/** Where lines are in a later text, if all are there still; `last` is the text of the last one, if it is known. */
export function rangeAfter(
  then: string,
  now: string,
  lines: LineRange,
  last: string | undefined,
): LineRange | undefined {
  const [before, after] = [linesOf(then), linesOf(now)];
  if (last !== undefined && !isSame(before[lines.last - 1], last)) return undefined;
  const end = lineAfter(before, after, lines.last - 1);
  const start = lines.first === lines.last ? end : lineAfter(before, after, lines.first - 1);
  if (start === undefined || end === undefined || end - start !== lines.last - lines.first) return undefined;
  return { first: start + 1, last: end + 1 };
}

/** The text of a file, each byte as a character; empty if it is too large. */
export const textOf = (file: FileEntry) => (contentBytes(file) ?? Buffer.alloc(0)).toString("latin1");

/** The lines of a text, with their ends. */
export const linesOf = (text: string) => text.split(/(?<=\n)/);

/** Whether a line of a file, each byte as a character, is a text. */
export const isSame = (line: string | undefined, text: string) =>
  line?.replace(/\r?\n$/, "").trimEnd() === latin1(text).trimEnd();

/** A text as the lines of files and diffs are held: one character for each byte. */
export function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The web page of the pull requests, or of the files of one: it has what the API of a server lacks for threads. */
export function threadPage({ server, repo }: RepositoryContext, number?: number): string {
  const pulls = `${addressText(server.base)}/${fullName(repo)}/pulls`;
  return number === undefined ? pulls : `${pulls}/${number}/files`;
}

/** The failure for a comment that is not on the lines of a pull request. */
export function noComment(id: number | string, number: number, context: RepositoryContext): Failure {
  return new Failure("not_found", `Comment ${id} not found on the lines of ${pullName(context, number)}`, {
    hint: `List them: tongs pr thread list ${number}`,
  });
}
