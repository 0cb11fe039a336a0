import { UsageError } from "../../../failure/failure.ts";
import { fieldProblem } from "../../../forge/account-rules.ts";
import { shapesOf } from "../../../forge/setting.ts";
import { user } from "../../../forge/users.ts";
import { boolean, type Shape, string, time } from "../../../shape/shape.ts";
import { type CsvRecord, readCsv } from "../../../text/csv.ts";
import { accountFields } from "../fields.ts";

/** A column of an import: a field of the create and edit operations (docs/server-differences.md, "Users: accounts"). */
interface ImportField {
  readonly shape: Shape<unknown>;
  /** The operation that accepts the field. Fields of `edit` take a second request. */
  readonly operation: "create" | "edit" | "both";
  /** The name of the field in the user record, if it has one. */
  readonly recordField: string | undefined;
}

/** A time in RFC 3339. */
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const { hide_email: _inNoRecord, ...edited } = accountFields;
const created = { username: string, send_notify: boolean, created_at: time };
const both = "email full_name password must_change_password source_id login_name restricted visibility".split(" ");

/** The columns that an import accepts. */
export const importFields: Readonly<Record<string, ImportField>> = Object.fromEntries(
  Object.entries<Shape<unknown>>({ ...created, password: string, ...shapesOf(edited) }).map(([name, shape]) => {
    const operation = name in created ? "create" : both.includes(name) ? "both" : "edit";
    const recordField = name === "admin" ? "is_admin" : name in user.fields ? name : undefined;
    return [name, { shape, operation, recordField }];
  }),
);

/** A value of a row, in the type that the API accepts. */
export type FieldValue = string | number | boolean;

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  "1": true,
  "0": false,
};

/** Parses a value. An empty one is absent; an error is a message without the line. */
export function parseField(name: string, raw: unknown): { readonly value?: FieldValue; readonly error?: string } {
  const field = Object.hasOwn(importFields, name) ? importFields[name] : undefined;
  if (field === undefined) return { error: `unknown field '${name}'` };
  if (raw === undefined || raw === null || raw === "") return {};
  const { type, words } = field.shape;
  if (type === "boolean") {
    const value = typeof raw === "boolean" ? raw : booleans[String(raw).toLowerCase()];
    return value === undefined ? { error: `${name} must be true or false, not '${String(raw)}'` } : { value };
  }
  if (type === "integer") {
    const value = typeof raw === "number" ? raw : Number(raw);
    const isInteger = Number.isSafeInteger(value) && /^-?\d+$/.test(String(raw));
    return isInteger ? { value } : { error: `${name} must be an integer, not '${String(raw)}'` };
  }
  if (typeof raw !== "string") return { error: `${name} must be a string` };
  if (words !== undefined && !words.includes(raw))
    return { error: `${name} must be one of ${words.join(", ")}, not '${raw}'` };
  if (type === "time" && (!rfc3339.test(raw) || Number.isNaN(Date.parse(raw)))) {
    return { error: `${name} must be a time such as 2026-03-01T08:00:00Z, not '${raw}'` };
  }
  const isLong = name === "description";
  if ((isLong ? /\u0000/ : /[\r\n\u0000]/).test(raw)) {
    return { error: `${name} cannot contain ${isLong ? "" : "line breaks or "}NUL characters` };
  }
  const error = fieldProblem(name, raw);
  return error === undefined ? { value: raw } : { error };
}

/** One user of the file. */
export interface Row {
  /** The line it starts on, from 1. */
  readonly line: number;
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** A line of the file that cannot be imported. */
export interface Problem {
  readonly line: number;
  readonly username?: string | undefined;
  readonly message: string;
}

type RowOrProblem = Row | Problem;
export type ImportFormat = "csv" | "jsonl";

/** The format of a file by its extension. */
export function formatOf(input: string): ImportFormat {
  if (/\.(jsonl|ndjson)$/i.test(input)) return "jsonl";
  if (/\.(csv|txt)$/i.test(input)) return "csv";
  const name = input === "-" ? "stdin" : input;
  throw new UsageError(`Cannot tell the format of ${name}`, "Pass --format csv or --format jsonl.");
}

/** The rows of a text, and all that is wrong with it: also names and addresses that it has twice. */
export async function readRows(
  text: string,
  format: ImportFormat,
): Promise<{ readonly rows: readonly Row[]; readonly problems: readonly Problem[] }> {
  const read = format === "csv" ? csvRows(await readCsv(text)) : text.split("\n").flatMap(jsonRow);
  const rows = read.flatMap((one) => ("fields" in one ? [one] : []));
  const problems = read.flatMap((one) => ("message" in one ? [one] : []));
  const firstLines = new Map<string, number>();
  for (const { line, fields } of rows) {
    const username = String(fields["username"]);
    for (const name of required) {
      const value = String(fields[name]);
      const first = firstLines.get(`${name} ${value.toLowerCase()}`);
      if (first === undefined) firstLines.set(`${name} ${value.toLowerCase()}`, line);
      else problems.push({ line, username, message: `duplicate ${value} (first on line ${first})` });
    }
  }
  return { rows, problems };
}

/** The message of a CSV error, without the piece of the file in it, which can be a password; columns count from 1. */
function withoutContent(message: string): string {
  return message
    .replace(/, value is .*/s, "")
    .replace(/got ".*?" at/s, "got another character at")
    .replace(/ on field (\d+)/, (_, field) => ` in column ${Number(field) + 1}`);
}

function csvRows(records: readonly CsvRecord[]): RowOrProblem[] {
  let header: readonly string[] | undefined;
  const rows: RowOrProblem[] = [];
  for (const record of records) {
    const { line } = record;
    // Spreadsheets write rows that were emptied as separators alone.
    if ("values" in record && record.values.every((value) => value.trim() === "")) continue;
    if ("error" in record) rows.push({ line, message: `invalid CSV: ${withoutContent(record.error)}` });
    else if (header !== undefined) rows.push(csvRow(line, header, record.values));
    else {
      // `Full name`, as people write headings.
      header = record.values.map((name) => name.trim().toLowerCase().replaceAll(" ", "_"));
      rows.push(...headerProblems(header).map((message) => ({ line, message })));
      if (!required.every((name) => header?.includes(name))) return rows;
    }
  }
  return records.length === 0 ? [{ line: 1, message: "the file is empty" }] : rows;
}

const required = ["username", "email"];

/** What is wrong with a header. Without the required columns no row can be read; the others are checked in any case. */
function headerProblems(header: readonly string[]): string[] {
  const known = Object.keys(importFields);
  const problems = header.flatMap((name, index) =>
    known.includes(name) ? [] : [`unknown column '${name}' (column ${index + 1}); available: ${known.join(", ")}`],
  );
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) problems.push(`duplicate column '${repeated}'`);
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length > 0)
    problems.push(`missing ${missing.length === 1 ? "column" : "columns"} ${missing.join(" and ")}`);
  return problems;
}

function csvRow(line: number, header: readonly string[], record: readonly string[]): RowOrProblem {
  if (record.length !== header.length) {
    const message = `expected ${header.length} values, found ${record.length}`;
    return { line, username: record[header.indexOf("username")], message };
  }
  // An unknown column is a problem of the header, not of each row.
  return toRow(
    line,
    header.map((name, index) => [name, Object.hasOwn(importFields, name) ? record[index] : undefined]),
  );
}

function jsonRow(content: string, index: number): RowOrProblem[] {
  const line = index + 1;
  if (content.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    // The rest of the message can have a piece of the line, which can be a password.
    const position = /at position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? "" : ` at column ${Number(position) + 1}`;
    return [{ line, message: `invalid JSON${where}` }];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ line, message: "expected a JSON object" }];
  }
  return [toRow(line, Object.entries(value))];
}

function toRow(line: number, pairs: readonly (readonly [string, unknown])[]): RowOrProblem {
  const fields: Record<string, FieldValue> = {};
  const errors: string[] = [];
  const invalid = new Set<string>();
  pairs.forEach(([name, raw], index) => {
    const { value, error } = raw === undefined ? {} : parseField(name, raw);
    if (error !== undefined) {
      invalid.add(name);
      errors.push(`column ${index + 1}: ${error}`);
    } else if (value !== undefined) fields[name] = value;
  });
  const username = pairs.find(([name]) => name === "username")?.[1];
  for (const name of required) {
    if (fields[name] === undefined && !invalid.has(name)) errors.push(`missing ${name}`);
  }
  if (errors.length === 0) return { line, fields };
  return { line, username: typeof username === "string" ? username : undefined, message: errors.join("; ") };
}
