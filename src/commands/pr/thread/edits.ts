import { Failure, UsageError } from "../../../failure/failure.ts";
import { contentBytes } from "../../../forge/contents.ts";
import type { FileChange } from "../../../forge/file-changes.ts";
import { lookUpFiles } from "../../../forge/many-files.ts";
import { commentedLines, hunkLines, type ReviewComment } from "../../../forge/review-comments.ts";
import type { Http } from "../../../http/client.ts";
import { ifVisible } from "../../../http/errors.ts";
import type { RepoName } from "../../../repo/repo-name.ts";
import { isSame, latin1, linesOf, rangeAfter, textOf } from "../line-threads.ts";

/** Lines of a file that a comment suggests to replace. */
export interface Edit {
  readonly id: number;
  readonly path: string;
  /** The first and the last line, from 1. */
  readonly first: number;
  readonly last: number;
  /** The lines up to the last one, as they were when the comment was made: at least those that are replaced. */
  readonly before: readonly string[];
  readonly lines: readonly string[];
  /** The commit in which the lines have these numbers, if it is known. */
  readonly commit: string | undefined;
  /** Whether the suggestion is in the file already. */
  readonly isThere?: boolean;
}

/**
 * The edit that a comment suggests; `commit` is that in which its lines count. Throws a usage error if it has no suggestion, or
 * several, and a failure if the lines that it is about are not known.
 */
export function editOf(comment: ReviewComment, commit: string | undefined): Edit {
  const { id, path = "", body = "", position = 0, extra_lines_count: extra = 0 } = comment;
  const [suggestion, ...others] = suggestionsIn(body);
  if (suggestion === undefined) throw new UsageError(`Comment ${id} has no suggestion`);
  if (others.length > 0) throw new UsageError(`Comment ${id} has several suggestions: apply them by hand`);
  if (position === 0) throw new UsageError(`Comment ${id} is on a line that the pull request removes`);
  const count = extra > 0 ? extra + 1 : (suggestion.count ?? 1);
  const { last } = commentedLines(comment);
  const shown = hunkLines(comment);
  const before = shown.length >= count ? shown : suggestion.quoted;
  if (before.length < count) throw changed(id, path, last, "its lines are not known");
  return { id, path, first: last - count + 1, last, before, lines: suggestion.lines, commit };
}

/** What a comment suggests: the lines that stand in place of others; none of them deletes. */
interface Suggestion {
  /** How many lines it replaces, the last of which the comment is on; undefined if the comment does not say. */
  readonly count: number | undefined;
  /** The lines that the comment quotes, if it does. */
  readonly quoted: readonly string[];
  readonly lines: readonly string[];
}

/** The suggestions of a comment: its fenced blocks of the language `suggestion`. */
function suggestionsIn(body: string): Suggestion[] {
  const text = body.replace(/\r\n?/g, "\n");
  const range = /^Lines (\d+)-(\d+):\n\n((?:>.*\n)*)/.exec(text);
  const count = range === null ? undefined : Number(range[2]) - Number(range[1]) + 1;
  const quoted = (range?.[3] ?? "").split("\n").filter((line) => line !== "");
  const blocks = text.matchAll(/^ {0,3}(`{3,}|~{3,})[ \t]*suggestion\b.*\n([\s\S]*?)^ {0,3}\1[`~]*[ \t]*$/gm);
  return [...blocks].map(([, , content = ""]) => ({
    count,
    quoted: quoted.map((line) => line.replace(/^> {0,5}/, "")),
    lines: content === "" ? [] : content.replace(/\n$/, "").split("\n"),
  }));
}

interface Place {
  readonly http: Http;
  readonly repo: RepoName;
  readonly ref: string;
}

/**
 * The changes of the files, with their hashes now; none of those that have all already. Throws a failure if lines are no more
 * those that a comment is about.
 */
export async function changesOf(edits: readonly Edit[], { http, repo, ref }: Place): Promise<FileChange[]> {
  const paths = [...new Set(edits.map(({ path }) => path))];
  const lookUp = lookUpFiles(http, repo, { paths, ref });
  const changes = await Promise.all(
    paths.map(async (path): Promise<FileChange | undefined> => {
      const own = edits.filter((edit) => edit.path === path);
      const file = await lookUp(path);
      const bytes = file?.type === "file" ? contentBytes(file) : undefined;
      const [first] = own;
      if (bytes === undefined && first !== undefined)
        throw changed(first.id, path, first.last, "the file is gone or too large");
      const text = (bytes ?? Buffer.alloc(0)).toString("latin1");
      const moved = await Promise.all(own.map((edit) => inHead(edit, text, { http, repo })));
      const left = moved.filter((edit) => edit.isThere !== true);
      if (left.length === 0) return undefined;
      const inOrder = left.sort((one, other) => one.first - other.first);
      const content = Buffer.from(edited(text, inOrder), "latin1");
      return { operation: "update", path, sha: file?.sha, content: content.toString("base64") };
    }),
  );
  return changes.filter((change) => change !== undefined);
}

/**
 * An edit with the numbers that its lines have in the file now. Without a commit in which they count, it stays where it was;
 * where it is not certain that they are those of that commit, it is refused.
 */
async function inHead(edit: Edit, now: string, { http, repo }: Omit<Place, "ref">): Promise<Edit> {
  const { id, path, first, last, commit, before } = edit;
  if (commit === undefined) return edit;
  const file = await ifVisible(lookUpFiles(http, repo, { paths: [path], ref: commit })(path));
  const text = file?.type === "file" ? textOf(file) : "";
  const count = last - first + 1;
  const lines = { first, last };
  const then = linesOf(text);
  const own = before.slice(-count);
  if (!before.every((line, index) => isSame(then[last - before.length + index], line)))
    throw changed(id, path, last, `its lines are not those of ${commit.slice(0, 10)}, or that commit is gone`);
  if (isThere(edit, then, now)) return { ...edit, isThere: true };
  const found = text === now ? lines : rangeAfter(text, now, lines, own.at(-1));
  if (found === undefined) throw changed(id, path, last, "its lines have changed");
  return { ...edit, ...found, before: own };
}

/** Whether the suggested lines, put into the text that they were suggested for, are in the text now, between the same lines. */
function isThere({ first, last, lines }: Edit, then: readonly string[], now: string): boolean {
  if (lines.length === 0) return false;
  const ending = /\r?\n$/.exec(then[0] ?? "")?.[0] ?? "\n";
  const put = lines.map((line) => `${latin1(line)}${ending}`);
  const wanted = [...then.slice(0, first - 1), ...put, ...then.slice(last)];
  const text = wanted.join("");
  if (text === now) return true;
  const end = first + put.length - 1;
  const around = { first: Math.max(1, first - 1), last: Math.min(wanted.length, end + 1) };
  const found = rangeAfter(text, now, around, undefined);
  if (found === undefined || (first === 1 && found.first > 1)) return false;
  if (end === wanted.length && found.last < linesOf(now).length) return false;
  return put.every((_, index) => rangeAfter(text, now, { first, last: first + index }, undefined) !== undefined);
}

/** The text of a file, each byte as a character, with the edits, in the order of their lines. Other lines keep their bytes. */
function edited(text: string, edits: readonly Edit[]): string {
  const lines = linesOf(text);
  const total = lines.length;
  let end = total;
  for (const { id, path, first, last, before, lines: wanted } of [...edits].reverse()) {
    if (last > end) {
      throw end !== total
        ? new Failure("conflict", `Several suggestions change line ${last} of ${path}`, { hint: nothing })
        : changed(id, path, last, "the file is shorter now");
    }
    before.forEach((line, index) => {
      if (!isSame(lines[last - before.length + index], line)) throw changed(id, path, last, "its lines have changed");
    });
    const ending = /\r?\n$/.exec(lines[last - 1] ?? "")?.[0] ?? "";
    const joint = ending === "" ? (/\r?\n$/.exec(lines[0] ?? "")?.[0] ?? "\n") : ending;
    const put = wanted.map((line, index) => latin1(line) + (index === wanted.length - 1 ? ending : joint));
    lines.splice(first - 1, last - first + 1, ...put);
    end = first - 1;
  }
  return lines.join("");
}

const nothing = "Nothing was committed.";

function changed(id: number, path: string, line: number, why: string): Failure {
  return new Failure("conflict", `Comment ${id} on ${path}:${line} cannot be applied: ${why}`, { hint: nothing });
}
