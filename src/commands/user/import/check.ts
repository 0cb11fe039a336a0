import { createHash } from "node:crypto";
import { type FirstLines, firstLines } from "./first-lines.ts";
import { type ImportFormat, type Problem, type Row, readRows } from "./rows.ts";

/** How many rows are kept from the check for the import. */
const fewRows = 5_000;

/** What a whole file came to, before anything is sent. */
export interface Checked {
  readonly rows: number;
  /** The rows themselves where they are few: a large file is read again instead. */
  readonly few: readonly Row[] | undefined;
  readonly problems: readonly Problem[];
  /** The names and the mail addresses in it. */
  readonly names: Pick<FirstLines, "has">;
  readonly mails: Pick<FirstLines, "has">;
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
  const [names, mails] = [firstLines(), firstLines()];
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
  return { ...found, problems, names, mails, hash: hash.digest("hex") };
}

function seenBefore(seen: FirstLines, value: string, line: number): string | undefined {
  const first = seen.note(value, line);
  return first === undefined ? undefined : `${value} is on line ${first} already`;
}
