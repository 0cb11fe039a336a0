import { pick, valueAt } from "../shape/select.ts";
import type { System } from "../system/system.ts";
import { jsonText } from "../text/json.ts";

/** The output formats. */
export type Format = "text" | "json" | "jsonl" | "csv" | "jq";

/** Prints a list of records by `item` and `end`, or one record by `single`. */
export interface RecordWriter {
  item(record: unknown): Promise<void>;
  end(): Promise<void>;
  single(record: unknown): Promise<void>;
}

interface Settings {
  readonly system: System;
  readonly format: Format;
  readonly fields: readonly string[];
  readonly csvFields: readonly string[];
  readonly jq: string | undefined;
  readonly pretty: boolean;
  readonly write: (content: string) => Promise<void>;
}

/** The writer for a format. A JSON array is printed at the end; JSON lines and CSV are printed record by record. */
export async function recordWriter(settings: Settings): Promise<RecordWriter> {
  const { write, fields } = settings;
  const chosen = (record: unknown) => (fields.length === 0 ? record : pick(record, fields));
  const text = (value: unknown) => `${jsonText(value, settings.pretty ? 2 : undefined)}\n`;

  if (settings.format === "jsonl") {
    const line = (record: unknown) => write(`${jsonText(chosen(record))}\n`);
    return { item: line, end: async () => {}, single: line };
  }
  if (settings.format === "csv") {
    return csvWriter(fields.length > 0 ? fields : settings.csvFields, write);
  }
  const print =
    settings.format === "jq"
      ? async (value: unknown) => {
          const { runJq } = await import("./jq.ts");
          await write(await runJq(settings.jq ?? ".", jsonText(value), settings.system));
        }
      : (value: unknown) => write(text(value));
  const all: unknown[] = [];
  return {
    async item(record) {
      all.push(chosen(record));
    },
    end: () => print(all),
    single: (record) => print(chosen(record)),
  };
}

/** CSV with a header; nested values are compact JSON. The default columns are the fields of the first record. */
async function csvWriter(fields: readonly string[], write: (content: string) => Promise<void>): Promise<RecordWriter> {
  const { stringify } = await import("csv-stringify/sync");
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
