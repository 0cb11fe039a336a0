/** The numbers of a line of a diff in the old and the new file; 0 if it is not in one. */
export interface HunkLine {
  readonly old: number;
  readonly now: number;
}

/**
 * Counts lines within hunks, which are as long as their headers say, so that a removed line that starts with `-- ` is no file
 * header; undefined for a line outside of them.
 */
export function hunkCounter(): (line: string) => HunkLine | undefined {
  let [old, now, oldLeft, nowLeft] = [0, 0, 0, 0];
  return (line) => {
    const sign = line[0];
    if (sign === "\\") return { old: 0, now: 0 };
    if (oldLeft > 0 || nowLeft > 0) {
      const [isOld, isNew] = [sign !== "+", sign !== "-"];
      oldLeft -= isOld ? 1 : 0;
      nowLeft -= isNew ? 1 : 0;
      return { old: isOld ? old++ : 0, now: isNew ? now++ : 0 };
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) return undefined;
    [old, now] = [Number(hunk[1]), Number(hunk[3])];
    [oldLeft, nowLeft] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
    return undefined;
  };
}
