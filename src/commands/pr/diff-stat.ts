import type { ChangedFile } from "../../forge/commits.ts";
import type { Output } from "../../output/output.ts";
import { safeLine } from "../../text/safe.ts";
import { fileName } from "./file-columns.ts";

/** ` name | 12 +++---` for each file and the sums, as `git diff --stat` has it. */
export async function statLines(
  files: readonly ChangedFile[],
  out: Pick<Output, "width" | "palette">,
): Promise<string[]> {
  const { default: stringWidth } = await import("string-width");
  const names = files.map((file) => safeLine(fileName(file)));
  const longest = Math.max(0, ...names.map((name) => stringWidth(name)));
  const most = Math.max(0, ...files.map((file) => file.additions + file.deletions));
  const digits = String(most).length;
  const room = Math.max(10, Math.min(out.width - longest - digits - 5, 60));
  const lines = files.map((file, index) => {
    const name = names[index] ?? "";
    const padding = " ".repeat(longest - stringWidth(name));
    const [plus, minus] = bars(file, most, room);
    const count = String(file.additions + file.deletions).padStart(digits);
    return ` ${name}${padding} | ${count} ${out.palette("good", plus)}${out.palette("bad", minus)}`.trimEnd();
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

function bars({ additions, deletions }: ChangedFile, most: number, room: number): [plus: string, minus: string] {
  const scale = most > room ? room / most : 1;
  const length = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
  return ["+".repeat(length(additions)), "-".repeat(length(deletions))];
}
