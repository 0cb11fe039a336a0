import { createHash } from "node:crypto";
import { Failure } from "../../../failure/failure.ts";
import { type Problem, type Row, readRows } from "./rows.ts";
import type { Source } from "./source.ts";

/** How many rows are kept from the check for the import. */
const fewRows = 5_000;

/** What a whole file came to, before anything is sent. */
export interface Checked {
  readonly source: Source;
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
export async function checkFile(source: Source, needsPassword: (row: Row) => boolean): Promise<Checked> {
  const problems: Problem[] = [];
  const [names, mails] = [firstLines(), firstLines()];
  const hash = createHash("sha256");
  const found = { rows: 0, few: [] as Row[] | undefined };
  for await (const reads of readRows(source.path, source.format, (bytes) => hash.update(bytes))) {
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
  return { source, ...found, problems, names, mails, hash: hash.digest("hex") };
}

function seenBefore(seen: FirstLines, value: string, line: number): string | undefined {
  const first = seen.note(value, line);
  return first === undefined ? undefined : `${value} is on line ${first} already`;
}

/** The rows that the check kept, or those of the file. */
export function goodRows(
  checked: Checked,
  wanted: (row: Row) => boolean = () => true,
): readonly Row[] | AsyncIterable<Row> {
  return checked.few?.filter(wanted) ?? rowsOfFile(checked, wanted);
}

async function* rowsOfFile({ source, hash }: Checked, wanted: (row: Row) => boolean): AsyncGenerator<Row> {
  const again = createHash("sha256");
  for await (const reads of readRows(source.path, source.format, (bytes) => again.update(bytes))) {
    for (const read of reads) if ("row" in read && wanted(read.row)) yield read.row;
  }
  if (again.digest("hex") !== hash) throw changed(source);
}

/** Some rows that were checked did not come when the file was read again. */
export function changed({ path }: Source): Failure {
  const hint = "Some rows may not have been imported. Import the file as it was with --resume.";
  return new Failure("file_changed", "failure", `${path} changed after it was checked`, { hint });
}

/** The line that each text of a file, in any case, was first on. */
interface FirstLines {
  /** Notes a text, and returns the line it was on before, if it was. */
  readonly note: (text: string, line: number) => number | undefined;
  readonly has: (text: string) => boolean;
}

/** So many texts are kept as they are: that is faster while they are few. */
const few = 4_096;

/** For each text: two halves of its hash, and its line. */
const cell = 3;

/** Notes the lines of any number of texts in little memory. */
export function firstLines(): FirstLines {
  const texts = new Map<string, number>();
  let hashes: FirstLines | undefined;

  function hashAll(): FirstLines {
    const table = hashTable();
    for (const [text, line] of texts) table.note(text, line);
    texts.clear();
    return table;
  }

  return {
    note(text, line) {
      const lower = text.toLowerCase();
      if (hashes !== undefined) return hashes.note(lower, line);
      const first = texts.get(lower);
      if (first !== undefined) return first;
      texts.set(lower, line);
      if (texts.size > few) hashes = hashAll();
      return undefined;
    },
    has: (text) => (hashes ?? texts).has(text.toLowerCase()),
  };
}

/**
 * Keeps a hash of 64 bits for each text instead of the text, in 24 to 48 bytes of one array. Among a million texts, one
 * chance in thirty million takes two of them for one.
 */
function hashTable(): FirstLines {
  let room = 1024;
  let table = new Uint32Array(room * cell);
  let count = 0;

  /** The place of a hash, or the free one where it belongs. Line 0 is free. */
  function placeOf(high: number, low: number): number {
    for (let slot = low & (room - 1); ; slot = (slot + 1) & (room - 1)) {
      const at = slot * cell;
      if (table[at + 2] === 0 || (table[at] === high && table[at + 1] === low)) return at;
    }
  }

  function grow(): void {
    const old = table;
    room *= 2;
    table = new Uint32Array(room * cell);
    for (let at = 0; at < old.length; at += cell) {
      if (old[at + 2] !== 0) table.set(old.subarray(at, at + cell), placeOf(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }

  return {
    note(text, line) {
      const [high, low] = hashOf(text);
      const at = placeOf(high, low);
      const first = table[at + 2];
      if (first !== 0) return first;
      table.set([high, low, line], at);
      count += 1;
      if (count * 2 > room) grow();
      return undefined;
    },
    has(text) {
      return table[placeOf(...hashOf(text)) + 2] !== 0;
    },
  };
}

/** Two halves that are mixed with different factors (as MurmurHash3 ends), so that they do not collide together. */
function hashOf(text: string): [high: number, low: number] {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high >>> 0, low >>> 0];
}
