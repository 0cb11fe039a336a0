import { closeSync, openSync, readSync } from "node:fs";
import type { Parser } from "csv-parse";

/** The text of a file is not UTF-8. */
export class EncodingError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Reads the text of a file in chunks, without a byte order mark. Throws an `EncodingError` unless it is UTF-8. */
export async function* readText(file: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let line = 1;
  let first = true;
  for (const bytes of readChunks(file)) {
    if (first && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))) {
      throw new EncodingError(1, "the file is UTF-16; save it as UTF-8");
    }
    first = false;
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch {
      throw new EncodingError(
        line + linesBeforeInvalid(bytes),
        "invalid UTF-8 (the file may be Latin-1); save the file as UTF-8",
      );
    }
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) line += 1;
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw new EncodingError(line, "incomplete UTF-8 character at the end of the file");
  }
}

const chunkLength = 8 * 1024;

/**
 * Reads a file in chunks into one buffer. Reads synchronously: the disk is faster than what is done with the bytes, and
 * the stream modules are slow to load.
 */
function* readChunks(file: string): Generator<Buffer, void, undefined> {
  const bytes = Buffer.allocUnsafeSlow(chunkLength);
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

/** The number of lines before the first invalid byte of a chunk. */
function linesBeforeInvalid(bytes: Buffer): number {
  return (bytes.toString("utf8").split("\ufffd", 1)[0] ?? "").split("\n").length - 1;
}

/** A CSV record with the line it starts on, from 1; or a syntax error, which is the last item. */
export type CsvRecord =
  | { readonly line: number; readonly values: readonly string[] }
  | { readonly line: number; readonly error: string };

/**
 * Reads CSV (RFC 4180; lines end with CRLF, LF or CR; empty lines are skipped) and yields the records of each chunk. The
 * values are separated by commas, or by semicolons or TABs if the first line has more of them, or by what a first line
 * `sep=;` says, as spreadsheets write it. Text before the first quote is split by hand, ten times as fast as csv-parse and
 * without loading it.
 */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  let line = 1;
  let rest = "";
  let separator: string | undefined;
  let reader: CsvReader | undefined;
  for await (const chunk of text) {
    if (reader === undefined) rest += chunk;
    if (separator === undefined) {
      const [whole, first = ""] = /^(.*?)(?:\r\n|\n|\r(?!$))/s.exec(rest) ?? [];
      if (whole === undefined) continue;
      separator = separatorOf(first);
      if (saidSeparator.test(first)) {
        rest = rest.slice(whole.length);
        line += 1;
      }
    }
    if (reader === undefined && !rest.includes('"')) {
      const lines = rest.split(lineEnd);
      rest = lines.pop() ?? "";
      yield plainRecords(lines, line, separator);
      line += lines.length;
    } else {
      const isFirst = reader === undefined;
      reader ??= await csvReader(line, separator);
      yield reader.read(isFirst ? rest : chunk);
      if (reader.hasFailed()) return;
    }
  }
  // A file of one line without an end.
  if (reader === undefined && rest.includes('"')) {
    reader = await csvReader(line, separatorOf(rest));
    yield reader.read(rest);
    if (reader.hasFailed()) return;
  }
  yield reader === undefined
    ? plainRecords([rest.replace(/\r$/, "")], line, separator ?? separatorOf(rest))
    : await reader.end();
}

const saidSeparator = /^sep=(.)$/;

/** What separates values: what the first line says, or has most of. */
function separatorOf(first: string): string {
  const said = saidSeparator.exec(first)?.[1];
  const count = (separator: string) => first.split(separator).length;
  return said ?? [",", ";", "\t"].reduce((most, one) => (count(one) > count(most) ? one : most));
}

/** The end of a line. A CR at the end of the text does not count: an LF may follow. */
const lineEnd = /\r\n|\n|\r(?!$)/;

function plainRecords(lines: readonly string[], first: number, separator: string): CsvRecord[] {
  return lines.flatMap((content, index) =>
    content === "" ? [] : [{ line: first + index, values: content.split(separator) }],
  );
}

interface CsvReader {
  read(text: string): CsvRecord[];
  end(): Promise<CsvRecord[]>;
  hasFailed(): boolean;
}

async function csvReader(first: number, separator: string): Promise<CsvReader> {
  const { parse } = await import("csv-parse");
  const parser = parse({
    delimiter: separator,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
  });
  const offset: Offset = { lines: 1 - first };
  // Reported from `errored` after the records before it.
  parser.on("error", () => undefined);
  return {
    // The parser is synchronous: the records are available after the write.
    read(text) {
      parser.write(text);
      return parsed(parser, offset);
    },
    async end() {
      await new Promise<void>((resolve) => parser.end(() => resolve()));
      return parsed(parser, offset);
    },
    hasFailed: () => parser.errored !== null,
  };
}

function parsed(parser: Parser, offset: Offset): CsvRecord[] {
  const records: CsvRecord[] = [];
  for (let item: unknown = parser.read(); item !== null; item = parser.read()) {
    const { record, info } = item as { record: string[]; info: { lines: number } };
    const count = (what: RegExp) => record.reduce((sum, value) => sum + (value.match(what)?.length ?? 0), 0);
    records.push({ line: info.lines - offset.lines - count(/[\r\n]/g), values: record });
    // The parser counts CRLF within quotes as two lines.
    offset.lines += count(/\r\n/g);
  }
  const { errored } = parser;
  if (errored !== null) {
    const line = ("lines" in errored ? Number(errored.lines) : 1) - offset.lines;
    records.push({ line, error: errored.message });
  }
  return records;
}

/** How far the lines that the parser counts are ahead of those of the file. */
interface Offset {
  lines: number;
}
