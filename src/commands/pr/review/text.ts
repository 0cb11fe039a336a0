import { UsageError } from "../../../failure/failure.ts";
import type { CreatePullReviewComment } from "../../../forge/generated/operations.ts";
import type { DiffLine } from "../diff-lines.ts";

/** A comment that was typed below a line of a diff. */
export interface TypedComment {
  /** The lines that it is about, all of the new file or all of the old one; at least one. */
  readonly lines: readonly DiffLine[];
  readonly body: string;
}

/** A review as it was typed. */
export interface TypedReview {
  readonly body: string;
  readonly comments: readonly TypedComment[];
}

const notes = [
  "Write the review above, and comments below the lines that they are about.",
  "Lines that begin with > are not sent. Keep them; whole files and hunks can be removed.",
  "A comment that begins with ^3 is about the last three lines. To suggest other lines,",
  "write them between ```suggestion and ```.",
];

/** The text that the editor begins with: the review goes above the diff, whose lines are quoted. */
export function reviewForm(diff: readonly DiffLine[]): string {
  return ["", "", ...quotes(diff), ""].join("\n");
}

function quotes(diff: readonly DiffLine[]): string[] {
  return [...notes, "", ...diff.map(({ text }) => text)].map((line) => `> ${line}`.trimEnd());
}

/**
 * Reads what was typed into the form of a diff. Throws a usage error if lines of the diff are missing before others of their
 * hunk, so that it is not clear what a comment is about, or if a comment is not below a line of a file.
 */
export function readReview(text: string, diff: readonly DiffLine[]): TypedReview {
  const quoted = quotes(diff);
  const first = quoted.length - diff.length;
  const typed = new Map<number, string[]>();
  let at = -1;
  for (const line of text.split(/\r?\n/)) {
    const seen = line.trimEnd();
    const next = seen === quoted[at + 1] ? at + 1 : isHead(seen) ? quoted.indexOf(seen, at + 1) : -1;
    if (next >= 0) {
      at = next;
      continue;
    }
    if (seen.startsWith(">")) {
      const end = quoted.findIndex((one, index) => index > at + 1 && isHead(one));
      if (quoted.slice(at + 1, end < 0 ? undefined : end).includes(seen)) {
        throw new UsageError(`Lines of the diff are missing before '${seen}'`, "Keep them, or remove the whole hunk.");
      }
    }
    typed.set(at, [...(typed.get(at) ?? []), line]);
  }
  const body: string[] = [];
  const comments: TypedComment[] = [];
  for (const [index, lines] of typed) {
    const said = lines.join("\n").trim();
    if (said === "") continue;
    if (index < first) body.push(said);
    else comments.push(commentAt(index - first, said, diff));
  }
  return { body: body.join("\n\n"), comments };
}

/** Whether a quoted line begins a file or a hunk. */
const isHead = (line: string) => /^> (diff --git |@@ )/.test(line);

function commentAt(index: number, said: string, diff: readonly DiffLine[]): TypedComment {
  const [, count = "1", body = ""] = /^(?:\^(\d+)(?:\s+|$))?([\s\S]*)$/.exec(said) ?? [];
  const last = diff[index];
  const shown = said.split("\n", 1)[0] ?? "";
  if (last === undefined || last.old + last.now === 0) {
    throw new UsageError(
      `The comment '${shown}' is not below a line of a file`,
      "Write it below the line that it is about.",
    );
  }
  if (body.trim() === "") throw new UsageError(`The comment '${shown}' has no text`);
  const isNew = last.now > 0;
  const lines: DiffLine[] = [];
  for (let line = index; lines.length < Number(count); line -= 1) {
    const one = diff[line];
    const isLine = one !== undefined && (one.old + one.now > 0 || one.text.startsWith("\\"));
    if (!isLine || Number(count) < 1)
      throw new UsageError(`'${shown}': the hunk has ${lines.length} lines up to there`);
    if ((isNew ? one.now : one.old) > 0) lines.unshift(one);
  }
  return { lines, body: body.trim() };
}

/**
 * The comment as the API takes it. `several`: the server has comments on several lines (Forgejo 16); for others it is on the last
 * one, below a quotation of all.
 */
export function apiComment({ lines, body }: TypedComment, several: boolean): CreatePullReviewComment {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a comment on no line");
  const side = last.now > 0 ? "now" : "old";
  const at = (line: DiffLine) => (side === "now" ? { new_position: line.now } : { old_position: line.old });
  if (lines.length === 1) return { path: last.path, body, ...at(last) };
  if (several) return { path: last.path, body, ...at(first), extra_lines_count: lines.length - 1 };
  const code = lines.map(({ text }) => `>     ${text.slice(1)}`.trimEnd());
  const range = `Lines ${first[side]}-${last[side]}:`;
  return { path: last.path, body: [range, "", ...code, "", body].join("\n"), ...at(last) };
}
