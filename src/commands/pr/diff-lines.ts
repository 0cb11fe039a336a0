import { unquoted } from "./diff-parts.ts";

/** A line of a diff. `old` and `now` are its numbers in the old and the new file; 0 if it is not in one. */
export interface DiffLine {
  readonly text: string;
  /** The name of the file now; of one that is deleted, the name that it had. */
  readonly path: string;
  readonly old: number;
  readonly now: number;
}

/** The lines of a diff of git, with their places in the files. Hunks are as long as their headers say. */
export function diffLines(diff: string): DiffLine[] {
  let path = "";
  let [old, now, oldLeft, nowLeft] = [0, 0, 0, 0];
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .map((text) => {
      const sign = text[0];
      if (sign === "\\") return { text, path, old: 0, now: 0 };
      if (oldLeft > 0 || nowLeft > 0) {
        const [isOld, isNew] = [sign !== "+", sign !== "-"];
        oldLeft -= isOld ? 1 : 0;
        nowLeft -= isNew ? 1 : 0;
        return { text, path, old: isOld ? old++ : 0, now: isNew ? now++ : 0 };
      }
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
      if (hunk !== null) {
        [old, now] = [Number(hunk[1]), Number(hunk[3])];
        [oldLeft, nowLeft] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      }
      const name = /^(?:---|\+\+\+) (.*?)[\t\r]*$/.exec(text)?.[1];
      if (name !== undefined && name !== "/dev/null") path = nameOf(name);
      return { text, path, old: 0, now: 0 };
    });
}

/** The name in `a/NAME` or `b/NAME`, which git puts in quotes if it has unusual characters. */
function nameOf(name: string): string {
  return unquoted(Buffer.from(name, "utf8").toString("latin1")).replace(/^[ab]\//, "");
}
