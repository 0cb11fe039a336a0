import { lineBlocks } from "../text/line-blocks.ts";
import { safeLine } from "../text/safe.ts";
import { compose, type Styled } from "../text/styled.ts";
import { hunkCounter } from "./hunks.ts";
import type { Output } from "./output.ts";

/** How many lines of a file a diff adds and removes. */
export interface FileStat {
  readonly name: string;
  readonly additions: number;
  readonly deletions: number;
}

/** The widest name that others are aligned with, in columns. */
const maxName = 200;

/** ` name | 12 +++---` for each file, and the totals, as `git diff --stat` prints them. */
export async function statLines(
  files: readonly FileStat[],
  out: Pick<Output, "width" | "palette">,
): Promise<(string | Styled)[]> {
  const { default: stringWidth } = await import("string-width");
  const names = files.map((file) => safeLine(file.name));
  const widest = names.reduce((found, name) => Math.max(found, stringWidth(name)), 0);
  // The name of one file must not make the line of every other as long.
  const longest = Math.min(widest, maxName);
  const most = files.reduce((found, file) => Math.max(found, changedLines(file)), 0);
  const digits = String(most).length;
  const room = Math.max(10, Math.min(out.width - longest - digits - 5, 60));
  const lines = files.map((file, index) => {
    const name = names[index] ?? "";
    const padding = " ".repeat(Math.max(0, longest - stringWidth(name)));
    const [plus, minus] = bars(file, most, room);
    const count = String(changedLines(file)).padStart(digits);
    const counted = ` ${name}${padding} | ${count}`;
    return plus + minus === "" ? counted : compose`${counted} ${out.palette("good", plus)}${out.palette("bad", minus)}`;
  });
  const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + file[key], 0);
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const sums = [
    `${counted(files.length, "file")} changed`,
    `${counted(sum("additions"), "insertion")}(+)`,
    `${counted(sum("deletions"), "deletion")}(-)`,
  ];
  return [...lines, ` ${sums.join(", ")}`];
}

function changedLines({ additions, deletions }: FileStat): number {
  return additions + deletions;
}

function bars({ additions, deletions }: FileStat, most: number, room: number): [plus: string, minus: string] {
  const scale = most > room ? room / most : 1;
  const length = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
  return ["+".repeat(length(additions)), "-".repeat(length(deletions))];
}

/** Counts the changed lines of each file of a diff as git prints it. */
export async function countChanges(pieces: AsyncIterable<Buffer>): Promise<FileStat[]> {
  const files: { name: string; additions: number; deletions: number }[] = [];
  const hunkLine = hunkCounter();
  for await (const line of linesOf(pieces)) {
    const file = files.at(-1);
    if (hunkLine(line) !== undefined && file !== undefined) {
      if (line.startsWith("+")) file.additions += 1;
      if (line.startsWith("-")) file.deletions += 1;
    } else if (line.startsWith("diff --git ")) files.push({ name: headerName(line), additions: 0, deletions: 0 });
    else if (file !== undefined) file.name = /^(?:rename to |\+\+\+ "?b\/)(.*?)"?\t?$/.exec(line)?.[1] ?? file.name;
  }
  return files;
}

/** The new name in `diff --git a/NAME b/NAME`. */
function headerName(line: string): string {
  const names = line.slice("diff --git ".length);
  const half = names.slice((names.length + 1) / 2);
  return (half.startsWith("b/") || half.startsWith('"b/') ? half : names).replace(/^"?b\/|"$/g, "");
}

/** The lines of a text. The rest of a very long line is left out: what counts is how it begins. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  let continues = false;
  for await (const { lines, isOpen } of lineBlocks(pieces, "utf8")) {
    yield* continues ? lines.slice(1) : lines;
    continues = isOpen;
  }
}
