import { Failure } from "../../../failure/failure.ts";
import { instantForm, wrongEmail, wrongLength, wrongName } from "../rules.ts";
import { BadEncoding, type OnBytes, readCsv, readText } from "./text.ts";

/** A column of an import: a field of the API's input objects (api-facts 1.8). */
interface ImportField {
  readonly kind: "text" | "boolean" | "integer" | "time" | "visibility";
  /** Which operation takes it; what only the edit takes costs a second request. */
  readonly by: "create" | "edit" | "both";
  /** What the servers would refuse. */
  readonly wrong?: (value: string) => string | undefined;
  /** Its name in the user record, where it can be read back. */
  readonly shown?: string;
}

const limited = (field: Parameters<typeof wrongLength>[0]) => (value: string) => wrongLength(field, value);

/** Every column that an import knows. */
export const importFields: Readonly<Record<string, ImportField>> = {
  username: { kind: "text", by: "create", wrong: wrongName },
  email: { kind: "text", by: "both", wrong: wrongEmail, shown: "email" },
  full_name: { kind: "text", by: "both", wrong: limited("full_name"), shown: "full_name" },
  password: { kind: "text", by: "both", wrong: limited("password") },
  must_change_password: { kind: "boolean", by: "both" },
  source_id: { kind: "integer", by: "both", shown: "source_id" },
  login_name: { kind: "text", by: "both", shown: "login_name" },
  restricted: { kind: "boolean", by: "both", shown: "restricted" },
  visibility: { kind: "visibility", by: "both", shown: "visibility" },
  send_notify: { kind: "boolean", by: "create" },
  created_at: { kind: "time", by: "create" },
  admin: { kind: "boolean", by: "edit", shown: "is_admin" },
  active: { kind: "boolean", by: "edit", shown: "active" },
  prohibit_login: { kind: "boolean", by: "edit", shown: "prohibit_login" },
  website: { kind: "text", by: "edit", wrong: limited("website"), shown: "website" },
  location: { kind: "text", by: "edit", wrong: limited("location"), shown: "location" },
  description: { kind: "text", by: "edit", wrong: limited("description"), shown: "description" },
  max_repo_creation: { kind: "integer", by: "edit" },
  allow_git_hook: { kind: "boolean", by: "edit" },
  allow_import_local: { kind: "boolean", by: "edit" },
  allow_create_organization: { kind: "boolean", by: "edit" },
};

/** A value of a row, as the API takes it. */
export type FieldValue = string | number | boolean;

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  "1": true,
  "0": false,
};

/** Reads one value; an empty one is absent. What is wrong is a sentence without its line. */
function readField(name: string, raw: unknown): { readonly value?: FieldValue; readonly wrong?: string } {
  const field = Object.hasOwn(importFields, name) ? importFields[name] : undefined;
  if (field === undefined) return { wrong: `there is no field '${name}'` };
  if (raw === undefined || raw === null || raw === "") return {};
  if (field.kind === "boolean") {
    const value = typeof raw === "boolean" ? raw : truths[String(raw).toLowerCase()];
    return value === undefined ? { wrong: `${name} is true or false, not '${String(raw)}'` } : { value };
  }
  if (field.kind === "integer") {
    const value = typeof raw === "number" ? raw : Number(raw);
    const whole = Number.isSafeInteger(value) && /^-?\d+$/.test(String(raw));
    return whole ? { value } : { wrong: `${name} is a whole number, not '${String(raw)}'` };
  }
  if (typeof raw !== "string") return { wrong: `${name} is a text` };
  if (field.kind === "visibility" && !/^(public|limited|private)$/.test(raw)) {
    return { wrong: `visibility is public, limited or private, not '${raw}'` };
  }
  if (field.kind === "time" && (!instantForm.test(raw) || Number.isNaN(Date.parse(raw)))) {
    return { wrong: `${name} is a time such as 2026-03-01T08:00:00Z, not '${raw}'` };
  }
  if (field.kind === "text" && /[\r\n\u0000]/.test(raw)) return { wrong: `${name} holds a line break` };
  const wrong = field.wrong?.(raw);
  return wrong === undefined ? { value: raw } : { wrong };
}

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

type Read = { readonly row: Row } | { readonly problem: Problem };
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
