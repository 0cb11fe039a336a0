import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { Failure } from "../../../command/failure.ts";
import { type FieldValue, importFields, readField } from "./fields.ts";

/** One account of the file. */
export interface Row {
  /** The line it begins on, from 1. */
  readonly line: number;
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** Something in the file that cannot be imported. */
export interface Problem {
  readonly line: number;
  readonly username?: string | undefined;
  readonly wrong: string;
}

export type Read = { readonly row: Row } | { readonly problem: Problem };
export type ImportFormat = "csv" | "jsonl";

/** Reads the accounts of a file, one at a time. What is wrong comes in its place; a file that breaks off ends it. */
export async function* readRows(file: string, format: ImportFormat): AsyncGenerator<Read, void, undefined> {
  const text = decoded(createReadStream(file, { highWaterMark: 256 * 1024 }));
  try {
    if (format === "csv") yield* csvRows(text);
    else yield* jsonRows(text);
  } catch (error) {
    if (error instanceof BadEncoding) yield { problem: { line: error.line, wrong: error.message } };
    else if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "EISDIR") {
      throw new Failure("file", "usage", `${file} cannot be read: ${(error as Error).message}`);
    } else throw error;
  }
}

class BadEncoding extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** UTF-8 text without a byte order mark; anything else is said with its line. */
async function* decoded(stream: Readable): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let line = 1;
  let first = true;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
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
    for (const letter of text) if (letter === "\n") line += 1;
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw new BadEncoding(line, "the file ends inside a character");
  }
}

/** How many lines into a piece its first invalid byte is. */
function badLine(bytes: Buffer): number {
  let lines = 0;
  for (const part of bytes.toString("utf8").split("\ufffd", 1)[0] ?? "") if (part === "\n") lines += 1;
  return lines;
}

async function* csvRows(text: AsyncIterable<string>): AsyncGenerator<Read, void, undefined> {
  const { CsvError, parse } = await import("csv-parse");
  const { pipeline, Readable } = await import("node:stream");
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
  });
  // What goes wrong on either side comes out of the loop below.
  pipeline(Readable.from(text), parser, () => undefined);
  let header: string[] | undefined;
  try {
    for await (const item of parser) {
      const { record, info } = item as { record: string[]; info: { lines: number } };
      const line = info.lines - record.join("").split("\n").length + 1;
      if (header === undefined) {
        header = record.map((name) => name.trim());
        const wrong = wrongHeader(header);
        if (wrong !== undefined) {
          yield { problem: { line, wrong } };
          return;
        }
      } else yield csvRow(line, header, record);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { problem: { line: Number(error["lines"] ?? 0), wrong: `the CSV is broken: ${error.message}` } };
    return;
  }
  if (header === undefined) yield { problem: { line: 1, wrong: "the file is empty" } };
}

function wrongHeader(header: readonly string[]): string | undefined {
  const unknown = header.findIndex((name) => !Object.hasOwn(importFields, name));
  if (unknown >= 0) {
    const known = Object.keys(importFields).join(", ");
    return `column ${unknown + 1} '${header[unknown]}' is no field; the fields are ${known}`;
  }
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) return `the column '${twice}' is there twice`;
  const missing = ["username", "email"].filter((name) => !header.includes(name));
  return missing.length > 0 ? `the column ${missing.join(" and ")} is missing` : undefined;
}

function csvRow(line: number, header: readonly string[], record: readonly string[]): Read {
  if (record.length !== header.length) {
    const wrong = `${record.length} values where the header has ${header.length} columns`;
    return { problem: { line, username: record[header.indexOf("username")], wrong } };
  }
  return toRow(
    line,
    header.map((name, index) => [name, record[index]]),
  );
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<Read, void, undefined> {
  let line = 0;
  let rest = "";
  const one = (content: string): Read[] => {
    line += 1;
    return content.trim() === "" ? [] : [jsonRow(line, content)];
  };
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const content of lines) yield* one(content);
  }
  yield* one(rest);
}

function jsonRow(line: number, content: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    return { problem: { line, wrong: `the JSON is broken: ${(error as Error).message}` } };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: { line, wrong: "a line is one JSON object" } };
  }
  return toRow(line, Object.entries(value));
}

function toRow(line: number, pairs: readonly (readonly [string, unknown])[]): Read {
  const fields: Record<string, FieldValue> = {};
  const found: string[] = [];
  const mistaken = new Set<string>();
  pairs.forEach(([name, raw], index) => {
    const { value, wrong } = readField(name, raw);
    if (wrong !== undefined) {
      mistaken.add(name);
      found.push(`column ${index + 1}: ${wrong}`);
    } else if (value !== undefined) fields[name] = value;
  });
  const username = pairs.find(([name]) => name === "username")?.[1];
  for (const needed of ["username", "email"]) {
    if (fields[needed] === undefined && !mistaken.has(needed)) found.push(`${needed} is missing`);
  }
  if (found.length === 0) return { row: { line, fields } };
  return { problem: { line, username: typeof username === "string" ? username : undefined, wrong: found.join("; ") } };
}
