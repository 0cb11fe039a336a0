import { hunkCounter } from "../../output/hunks.ts";
import { lineBlocks } from "../../text/line-blocks.ts";
import { safe } from "../../text/safe.ts";
import { type DiffLine, unquoted } from "./diff-lines.ts";
import { latin1, place, type Thread } from "./line-threads.ts";

/** What to make of a diff. */
export interface DiffParts {
  /** Whether a file is printed. */
  readonly wants: (path: string) => boolean;
  /** The comments on lines, which are printed below them. */
  readonly threads: readonly Thread[];
}

/** Starts each line of a comment: no line of a diff starts so. */
const bar = "│";

/**
 * A diff with the wanted files only, and the comments below their lines; those on lines that it does not have, or whose text
 * has changed since, are at the end. All other bytes are unchanged.
 */
export async function* diffParts(
  pieces: AsyncIterable<Buffer>,
  { wants, threads }: DiffParts,
): AsyncGenerator<Buffer, void, undefined> {
  const left = new Set(threads.filter(({ path }) => wants(path)));
  const file = { names: [] as string[], head: undefined as string[] | undefined, isWanted: true };
  const numbersOf = hunkCounter();
  let [isOpen, isCut] = [false, false];

  /** The lines to print for one line of the diff. */
  function* linesFor(line: string): Generator<string> {
    const numbers = numbersOf(line);
    if (numbers !== undefined) {
      if (!file.isWanted) return;
      yield line;
      for (const thread of [...left]) {
        if (!file.names.includes(thread.path) || !isOn(thread, numbers) || !isSameLine(thread, line)) continue;
        left.delete(thread);
        yield* commentLines(thread, false);
      }
      return;
    }
    if (line.startsWith("diff --git ")) {
      yield* endHead();
      file.names = sameNames(line);
      file.head = [];
    }
    const name = /^(?:rename|copy) (?:from|to) (.*?)\r?$/.exec(line)?.[1];
    if (name !== undefined && file.head !== undefined) file.names.push(unquoted(name));
    if (/^(@@ -|GIT binary patch|Binary files )/.test(line)) yield* endHead();
    if (file.head !== undefined) file.head.push(line);
    else if (file.isWanted) yield line;
  }

  /** Decides on a file once all its names are known. */
  function* endHead(): Generator<string> {
    const { head } = file;
    if (head === undefined) return;
    file.head = undefined;
    file.isWanted = file.names.some(wants);
    if (file.isWanted) yield* head;
  }

  const bytes = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""), "latin1");
  for await (const block of lineBlocks(pieces, "latin1")) {
    const shown: string[] = [];
    for (const line of block.lines) {
      const before = shown.length;
      if (!isOpen) shown.push(...linesFor(line));
      else if (file.isWanted) shown.push(line);
      isOpen = false;
      isCut = block.isOpen && shown.length > before;
    }
    isOpen = block.isOpen;
    const text = bytes(shown);
    if (text.length > 0) yield isCut ? text.subarray(0, -1) : text;
  }
  const rest = [...endHead()];
  if (left.size > 0) rest.push(`${latin1(bar)} Comments on lines that are not in the diff, or have changed:`);
  for (const thread of left) rest.push(...commentLines(thread, true));
  if (rest.length > 0) yield bytes(isCut ? ["", ...rest] : rest);
}

/** Whether a line is the last one that a comment is about. */
function isOn({ lines, isOld, isOutdated }: Thread, { old, now }: Pick<DiffLine, "old" | "now">): boolean {
  return !isOutdated && lines.last > 0 && lines.last === (isOld ? old : now);
}

/** Whether a line still has the text that it had when the comment was made: the last line of its hunk. */
function isSameLine({ comments: [first] }: Thread, line: string): boolean {
  const hunk = first?.diff_hunk ?? "";
  const last =
    hunk
      .replace(/\n(\\ .*)?$/, "")
      .split("\n")
      .at(-1) ?? "";
  return hunk === "" || last.startsWith("@@") || latin1(last).slice(1).trimEnd() === line.slice(1).trimEnd();
}

function* commentLines(thread: Thread, withPlace: boolean): Generator<string> {
  const resolver = thread.comments[0]?.resolver;
  const state = resolver == null ? "open" : `resolved by ${resolver.login}`;
  for (const comment of thread.comments) {
    const where = withPlace ? `${place(thread)} ` : "";
    yield latin1(`${bar} ${where}${comment.user?.login ?? "ghost"} (comment ${comment.id}, ${state})`);
    for (const line of safe(comment.body ?? "")
      .trimEnd()
      .split("\n"))
      yield latin1(`${bar}   ${line}`.trimEnd());
  }
}

/** The name in `diff --git a/NAME b/NAME`, which is the same twice unless it is renamed or copied. */
function sameNames(line: string): string[] {
  const both = line.replace(/^diff --git /, "").replace(/\r$/, "");
  const half = both.slice(0, (both.length - 1) / 2);
  const name = unquoted(half);
  return name.startsWith("a/") ? [name.slice(2)] : [];
}
