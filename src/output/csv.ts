import { stringify } from "csv-stringify/sync";
import { valueAt } from "../shape/select.ts";
import { jsonText } from "../text/json.ts";
import type { RecordWriter } from "./formats.ts";

/** CSV with a header line; nested values as compact JSON. Without known fields, the first record's are taken. */
export function csvWriter(fields: readonly string[], write: (content: string) => Promise<void>): RecordWriter {
  let columns = fields;
  let headed = false;
  const header = async (): Promise<void> => {
    if (headed) return;
    headed = true;
    if (columns.length > 0) await write(stringify([columns]));
  };
  const row = async (record: unknown): Promise<void> => {
    if (columns.length === 0 && typeof record === "object" && record !== null) columns = Object.keys(record);
    await header();
    await write(stringify([columns.map((field) => cell(valueAt(record, field.split("."))))]));
  };
  return { item: row, end: header, single: row };
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? jsonText(value) : String(value);
}
