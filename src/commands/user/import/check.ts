import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type ImportFormat, type Problem, type Row, readRows } from "./rows.ts";

/** What a whole file came to, before anything is sent. */
export interface Checked {
  readonly rows: number;
  readonly problems: readonly Problem[];
  /** SHA-256 of its bytes, hexadecimal: the journal belongs to this very file. */
  readonly hash: string;
}

/** Reads a file from end to end and collects all that is wrong with it. `needsPassword` is a rule over the rows. */
export async function checkFile(
  file: string,
  format: ImportFormat,
  needsPassword: (row: Row) => boolean,
): Promise<Checked> {
  const problems: Problem[] = [];
  const names = new Map<string, number>();
  const mails = new Map<string, number>();
  let rows = 0;
  for await (const read of readRows(file, format)) {
    if ("problem" in read) {
      problems.push(read.problem);
      continue;
    }
    rows += 1;
    const { line, fields } = read.row;
    const username = String(fields["username"]);
    const twice = seenBefore(names, username, line) ?? seenBefore(mails, String(fields["email"]), line);
    if (twice !== undefined) problems.push({ line, username, wrong: twice });
    if (needsPassword(read.row)) {
      problems.push({ line, username, wrong: "password is missing (a column, or --generate-passwords FILE)" });
    }
  }
  return { rows, problems, hash: await hashOf(file) };
}

function seenBefore(seen: Map<string, number>, value: string, line: number): string | undefined {
  const key = value.toLowerCase();
  const first = seen.get(key);
  if (first === undefined) seen.set(key, line);
  return first === undefined ? undefined : `${value} is on line ${first} already`;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
