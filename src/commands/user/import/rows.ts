import { Failure } from "../../../failure/failure.ts";
import { readCsv } from "./csv.ts";
import { type FieldValue, importFields, readField } from "./fields.ts";
import { BadEncoding, type OnBytes, readText } from "./text.ts";

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

/**
 * Reads the accounts of a file, as many at a time as a piece of it holds. What is wrong comes in its place; a file that
 * breaks off ends it.
 */
export async function* readRows(
  file: string,
  format: ImportFormat,
  onBytes?: OnBytes,
): AsyncGenerator<readonly Read[], void, undefined> {
  const text = readText(file, onBytes);
  try {
    yield* format === "csv" ? csvRows(text) : jsonRows(text);
  } catch (error) {
    if (error instanceof BadEncoding) yield [{ problem: { line: error.line, wrong: error.message } }];
    else if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "EISDIR") {
      throw new Failure("file", "usage", `${file} cannot be read: ${(error as Error).message}`);
    } else throw error;
  }
}

async function* csvRows(text: AsyncIterable<string>): AsyncGenerator<readonly Read[], void, undefined> {
  let header: readonly string[] | undefined;
  for await (const records of readCsv(text)) {
    const reads: Read[] = [];
    for (const record of records) {
      const { line } = record;
      if ("broken" in record) reads.push({ problem: { line, wrong: `the CSV is broken: ${record.broken}` } });
      else if (header !== undefined) reads.push(csvRow(line, header, record.values));
      else {
        header = record.values.map((name) => name.trim());
        const wrong = wrongHeader(header);
        if (wrong === undefined) continue;
        yield [{ problem: { line, wrong } }];
        return;
      }
    }
    yield reads;
  }
  if (header === undefined) yield [{ problem: { line: 1, wrong: "the file is empty" } }];
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

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<readonly Read[], void, undefined> {
  let line = 0;
  let rest = "";
  const one = (content: string): Read[] => {
    line += 1;
    return content.trim() === "" ? [] : [jsonRow(line, content)];
  };
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield lines.flatMap(one);
  }
  yield one(rest);
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
