import { hunkCounter } from "../../output/hunks.ts";

/** A line of a diff. `old` and `now` are its numbers in the old and the new file; 0 if it is not in one. */
export interface DiffLine {
  readonly text: string;
  /** The name of the file now; of one that is deleted, the name that it had. */
  readonly path: string;
  readonly old: number;
  readonly now: number;
}

/** The lines of a diff of git, with their places in the files. */
export function diffLines(diff: string): DiffLine[] {
  const numbersOf = hunkCounter();
  let path = "";
  const lines = diff.replace(/\n$/, "").split("\n");
  return lines.map((text) => {
    const numbers = numbersOf(text);
    if (numbers !== undefined) return { text, path, ...numbers };
    const name = /^(?:---|\+\+\+) (.*?)[\t\r]*$/.exec(text)?.[1];
    if (name !== undefined && name !== "/dev/null") path = nameOf(name);
    return { text, path, old: 0, now: 0 };
  });
}

/** The name in `a/NAME` or `b/NAME`, which git puts in quotes if it has unusual characters. */
function nameOf(name: string): string {
  return unquoted(Buffer.from(name, "utf8").toString("latin1")).replace(/^[ab]\//, "");
}

/** A name as git prints it, in latin1: in quotes with escapes if it has unusual characters. */
export function unquoted(name: string): string {
  const inner = /^"(.*)"$/.exec(name)?.[1];
  const escapes: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
  const bytes = inner?.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    /^\d{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 255) : (escapes[code] ?? code),
  );
  return Buffer.from(bytes ?? name, "latin1").toString("utf8");
}
