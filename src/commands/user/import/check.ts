import { createHash } from "node:crypto";
import { Failure } from "../../../failure/failure.ts";
import { missingPassword } from "./outcome.ts";
import { type Problem, type Row, readRows } from "./rows.ts";
import type { Source } from "./source.ts";

/** The most rows that are kept in memory after the check. */
const maxKeptRows = 5_000;

/** A file that was read from start to end, before anything is sent. */
export interface CheckedFile {
  readonly source: Source;
  readonly rows: number;
  /** The rows, if there are few; a large file is read again instead. */
  readonly keptRows: readonly Row[] | undefined;
  readonly problems: readonly Problem[];
  /** Whether rows can be imported only if their users exist. */
  readonly needsUsers: boolean;
  /** The usernames and email addresses in the file. */
  readonly names: Pick<LineIndex, "has">;
  readonly emails: Pick<LineIndex, "has">;
  /** The SHA-256 of the file in hexadecimal, which ties the journal to it. */
  readonly hash: string;
}

/** Which rows lack a password, and which can be imported only if their users exist. */
interface RowChecks {
  readonly needsPassword: (row: Row) => boolean;
  readonly needsUser: (row: Row) => boolean;
}

/** Reads a file from start to end and collects its problems. */
export async function checkFile(source: Source, { needsPassword, needsUser }: RowChecks): Promise<CheckedFile> {
  const problems: Problem[] = [];
  const [names, emails] = [lineIndex(), lineIndex()];
  const hash = createHash("sha256");
  const found = { rows: 0, keptRows: [] as Row[] | undefined, needsUsers: false };
  for await (const reads of readRows(source.path, source.format, (bytes) => hash.update(bytes))) {
    for (const read of reads) {
      if ("problem" in read) {
        problems.push(read.problem);
        continue;
      }
      const { line, fields } = read.row;
      found.rows += 1;
      if (found.rows > maxKeptRows) found.keptRows = undefined;
      found.keptRows?.push(read.row);
      const username = String(fields["username"]);
      const repeated = duplicate(names, username, line) ?? duplicate(emails, String(fields["email"]), line);
      if (repeated !== undefined) problems.push({ line, username, message: repeated });
      if (needsPassword(read.row)) problems.push({ line, username, message: missingPassword });
      found.needsUsers ||= needsUser(read.row);
    }
  }
  return { source, ...found, problems, names, emails, hash: hash.digest("hex") };
}

function duplicate(seen: LineIndex, value: string, line: number): string | undefined {
  const first = seen.add(value, line);
  return first === undefined ? undefined : `duplicate ${value} (first on line ${first})`;
}

/** The rows of a checked file, read again if they were not kept. Throws if the file has changed. */
export function rowsToImport(
  checked: CheckedFile,
  wanted: (row: Row) => boolean = () => true,
): readonly Row[] | AsyncIterable<Row> {
  return checked.keptRows?.filter(wanted) ?? rereadRows(checked, wanted);
}

async function* rereadRows({ source, hash }: CheckedFile, wanted: (row: Row) => boolean): AsyncGenerator<Row> {
  const hashNow = createHash("sha256");
  for await (const reads of readRows(source.path, source.format, (bytes) => hashNow.update(bytes))) {
    for (const read of reads) if ("row" in read && wanted(read.row)) yield read.row;
  }
  if (hashNow.digest("hex") !== hash) throw fileChanged(source);
}

/** The failure for a file that changed between the check and the import. */
export function fileChanged({ path }: Source): Failure {
  const hint = "Some rows may not have been imported. Restore the file, then run the same command with --resume.";
  return new Failure("file_changed", `${path} changed after it was checked`, { hint });
}

/** The line on which each text of a file first appears. Ignores case. */
interface LineIndex {
  /** Adds a text. Returns the line on which it appeared before, if it did. */
  readonly add: (text: string, line: number) => number | undefined;
  readonly has: (text: string) => boolean;
}

/** The most texts that are stored as they are, which is faster than hashing. */
const few = 4_096;

/** Each cell holds the two halves of a hash, and a line. */
const cellSize = 3;

/** Indexes the lines of any number of texts in little memory. */
export function lineIndex(): LineIndex {
  const texts = new Map<string, number>();
  let hashes: LineIndex | undefined;

  function hashAll(): LineIndex {
    const table = hashTable();
    for (const [text, line] of texts) table.add(text, line);
    texts.clear();
    return table;
  }

  return {
    add(text, line) {
      const lower = text.toLowerCase();
      if (hashes !== undefined) return hashes.add(lower, line);
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
 * Stores a 64-bit hash of each text instead of the text, in 24 to 48 bytes of an array. The probability of a collision
 * among a million texts is one in thirty million.
 */
function hashTable(): LineIndex {
  let capacity = 1024;
  let table = new Uint32Array(capacity * cellSize);
  let count = 0;

  /** The index of a hash, or of the free cell for it. Free cells have line 0. */
  function cellOf(high: number, low: number): number {
    for (let slot = low & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const at = slot * cellSize;
      if (table[at + 2] === 0 || (table[at] === high && table[at + 1] === low)) return at;
    }
  }

  function grow(): void {
    const old = table;
    capacity *= 2;
    table = new Uint32Array(capacity * cellSize);
    for (let at = 0; at < old.length; at += cellSize) {
      if (old[at + 2] !== 0) table.set(old.subarray(at, at + cellSize), cellOf(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }

  return {
    add(text, line) {
      const [high, low] = hashOf(text);
      const at = cellOf(high, low);
      const first = table[at + 2];
      if (first !== 0) return first;
      table.set([high, low, line], at);
      count += 1;
      if (count * 2 > capacity) grow();
      return undefined;
    },
    has(text) {
      return table[cellOf(...hashOf(text)) + 2] !== 0;
    },
  };
}

/** Two 32-bit hashes with different factors, finished as in MurmurHash3, which are unlikely to collide together. */
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
