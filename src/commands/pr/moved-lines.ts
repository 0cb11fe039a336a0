import pMap from "p-map";
import type { RepositoryContext } from "../../app/context.ts";
import { contentBytes } from "../../forge/contents.ts";
import { type FileEntry, lookUpFiles } from "../../forge/many-files.ts";
import { commentedLines, hunkLines, type LineRange, type ReviewComment } from "../../forge/review-comments.ts";
import { ifVisible } from "../../http/errors.ts";
import { once } from "../../system/concurrency.ts";
import { lineAfter } from "../../text/line-after.ts";

/** A comment on lines of a file, as they were in a commit. */
export interface EarlierLines {
  readonly comment: ReviewComment;
  readonly commit: string;
}

/**
 * Where the lines of comments are in a later commit, in the same order; undefined for those that were changed, or if that
 * is not certain. A file is read once in each commit.
 */
export function linesIn(
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
const textOf = (file: FileEntry) => (contentBytes(file) ?? Buffer.alloc(0)).toString("latin1");

/** The lines of a text, with their ends. */
export const linesOf = (text: string) => text.split(/(?<=\n)/);

/** Whether a line of a file, each byte as a character, is a text. */
export const isSame = (line: string | undefined, text: string) =>
  line?.replace(/\r?\n$/, "").trimEnd() === latin1(text).trimEnd();

/** A text as the lines of files and diffs are held: one character for each byte. */
export function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
