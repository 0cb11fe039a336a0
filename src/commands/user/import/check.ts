import { createHash } from "node:crypto";
import { type ImportFormat, type Problem, type Row, readRows } from "./rows.ts";

/** How many rows are kept from the check for the import. */
const fewRows = 5_000;

/** What a whole file came to, before anything is sent. */
export interface Checked {
  readonly rows: number;
  /** The rows themselves where they are few: a large file is read again instead. */
  readonly few: readonly Row[] | undefined;
  readonly problems: readonly Problem[];
  /** The names and the mail addresses in it, in lower case, with their lines. */
  readonly names: ReadonlyMap<string, number>;
  readonly mails: ReadonlyMap<string, number>;
  /** Empties these two, which are large where the file is, once nobody needs them. */
  forget(): void;
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
  const hash = createHash("sha256");
  const found = { rows: 0, few: [] as Row[] | undefined };
  for await (const reads of readRows(file, format, (bytes) => hash.update(bytes))) {
    for (const read of reads) {
      if ("problem" in read) {
        problems.push(read.problem);
        continue;
      }
      const { line, fields } = read.row;
      found.rows += 1;
      if (found.rows > fewRows) found.few = undefined;
      found.few?.push(read.row);
      const username = String(fields["username"]);
      const twice = seenBefore(names, username, line) ?? seenBefore(mails, String(fields["email"]), line);
      if (twice !== undefined) problems.push({ line, username, wrong: twice });
      if (needsPassword(read.row)) {
        problems.push({ line, username, wrong: "password is missing (a column, or --generate-passwords FILE)" });
      }
    }
  }
  const forget = () => {
    names.clear();
    mails.clear();
  };
  return { ...found, problems, names, mails, forget, hash: hash.digest("hex") };
}

function seenBefore(seen: Map<string, number>, value: string, line: number): string | undefined {
  const key = value.toLowerCase();
  const first = seen.get(key);
  if (first === undefined) seen.set(key, line);
  return first === undefined ? undefined : `${value} is on line ${first} already`;
}
