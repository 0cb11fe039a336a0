import { closeSync, openSync, readSync } from "node:fs";
import type { Parser } from "csv-parse";

/** Text that is not UTF-8. */
export class BadEncoding extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Told of each piece of a file as it is read; its bytes are others afterwards. */
export type OnBytes = (bytes: Buffer) => void;

/** A file's text, piece by piece, without a byte order mark. Throws a `BadEncoding` with its line for what is not UTF-8. */
export async function* readText(file: string, onBytes?: OnBytes): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let line = 1;
  let first = true;
  for (const bytes of pieces(file)) {
    onBytes?.(bytes);
    if (first && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))) {
      throw new BadEncoding(1, "the file is UTF-16; save it as UTF-8");
    }
    first = false;
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch {
      throw new BadEncoding(line + badLine(bytes), "this is not UTF-8 (Latin-1, perhaps); save the file as UTF-8");
    }
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) line += 1;
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw new BadEncoding(line, "the file ends inside a character");
  }
}

const pieceLength = 8 * 1024;

/**
 * The bytes of a file, each piece in the place of the one before. Read at once: the disk is faster than what is done
 * with them, and a stream takes longest to load.
 */
function* pieces(file: string): Generator<Buffer, void, undefined> {
  const bytes = Buffer.allocUnsafeSlow(pieceLength);
  const open = openSync(file, "r");
  try {
    for (;;) {
      const count = readSync(open, bytes);
      if (count === 0) return;
      yield bytes.subarray(0, count);
    }
  } finally {
    closeSync(open);
  }
}

/** How many lines into a piece its first invalid byte is. */
function badLine(bytes: Buffer): number {
  return (bytes.toString("utf8").split("\ufffd", 1)[0] ?? "").split("\n").length - 1;
}

/** One record of a CSV with the line it begins on, from 1; or what is wrong there, which ends the file. */
export type CsvRecord =
  | { readonly line: number; readonly values: readonly string[] }
  | { readonly line: number; readonly broken: string };

/**
 * Reads CSV (RFC 4180; lines end with CRLF, LF or CR; empty ones are skipped), as many records at a time as a piece of
 * the text holds. Up to the first quote nothing more than splitting is needed, which takes a tenth of the parser's time
 * and no library; from there on the parser reads.
 */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  let line = 1;
  let rest = "";
  let quoted: Quoted | undefined;
  for await (const piece of text) {
    if (quoted === undefined && !piece.includes('"')) {
      const lines = (rest + piece).split(lineEnd);
      rest = lines.pop() ?? "";
      yield plainRecords(lines, line);
      line += lines.length;
    } else {
      quoted ??= await quotedRecords(line);
      yield quoted.read(rest + piece);
      rest = "";
      if (quoted.isBroken()) return;
    }
  }
  yield quoted === undefined ? plainRecords([rest.replace(/\r$/, "")], line) : await quoted.end();
}

/** The end of a line; not a CR at the end of the text, after which an LF may come. */
const lineEnd = /\r\n|\n|\r(?!$)/;

function plainRecords(lines: readonly string[], first: number): CsvRecord[] {
  return lines.flatMap((content, index) =>
    content === "" ? [] : [{ line: first + index, values: content.split(",") }],
  );
}

interface Quoted {
  read(text: string): CsvRecord[];
  end(): Promise<CsvRecord[]>;
  isBroken(): boolean;
}

async function quotedRecords(first: number): Promise<Quoted> {
  const { parse } = await import("csv-parse");
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
  });
  // It is told by `errored`, in its place after the records before it.
  parser.on("error", () => undefined);
  return {
    // The parser works while it is written to, so nothing is waited for.
    read(text) {
      parser.write(text);
      return parsed(parser, first);
    },
    async end() {
      await new Promise<void>((resolve) => parser.end(() => resolve()));
      return parsed(parser, first);
    },
    isBroken: () => parser.errored !== null,
  };
}

function parsed(parser: Parser, first: number): CsvRecord[] {
  const records: CsvRecord[] = [];
  for (let item: unknown = parser.read(); item !== null; item = parser.read()) {
    const { record, info } = item as { record: string[]; info: { lines: number } };
    records.push({ line: first - 1 + info.lines - breaksIn(record), values: record });
  }
  const { errored } = parser;
  if (errored !== null) {
    const line = "lines" in errored ? first - 1 + Number(errored.lines) : first;
    records.push({ line, broken: errored.message });
  }
  return records;
}

function breaksIn(record: readonly string[]): number {
  let breaks = 0;
  for (const value of record) if (value.includes("\n")) breaks += value.split("\n").length - 1;
  return breaks;
}
