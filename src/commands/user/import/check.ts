import { type Problem, type Row, readRows } from "./rows.ts";
import type { Source } from "./source.ts";

/** A file that was read from start to end, before anything is sent. */
export interface CheckedFile {
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
}

/** Reads a file from start to end and collects its problems. */
export async function checkFile({ path, format }: Source): Promise<CheckedFile> {
  const [rows, problems]: [Row[], Problem[]] = [[], []];
  const firstLines = new Map<string, number>();
  for await (const reads of readRows(path, format)) {
    for (const read of reads) {
      if ("problem" in read) {
        problems.push(read.problem);
        continue;
      }
      const { line, fields } = read.row;
      const [username, email] = [String(fields["username"]), String(fields["email"])];
      for (const [kind, value] of [
        ["name", username],
        ["email", email],
      ] as const) {
        const key = `${kind} ${value.toLowerCase()}`;
        const first = firstLines.get(key);
        if (first === undefined) firstLines.set(key, line);
        else problems.push({ line, username, message: `duplicate ${value} (first on line ${first})` });
      }
      rows.push(read.row);
    }
  }
  return { rows, problems };
}
