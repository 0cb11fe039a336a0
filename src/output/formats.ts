import { pick, valueAt } from "../shape/select.ts";
import type { System } from "../system/system.ts";
import { jsonText } from "../text/json.ts";
import { safeJson } from "../text/safe.ts";
import { Styled } from "../text/styled.ts";
import { noColors, type Palette } from "./palette.ts";

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
  /** Whether the output is a terminal: JSON is indented, and control characters in its strings are escaped. */
  readonly terminal: boolean;
  readonly palette: Palette;
  readonly write: (content: string | Styled) => Promise<void>;
}

/** The writer for a format. A JSON array is printed at the end; JSON lines and CSV are printed record by record. */
export async function recordWriter(settings: Settings): Promise<RecordWriter> {
  const { write, fields } = settings;
  const chosen = (record: unknown) => (fields.length === 0 ? record : pick(record, fields));
  const json = (value: unknown, indent?: number): string | Styled => {
    const text = `${jsonText(value, indent)}\n`;
    return settings.terminal ? coloredJson(safeJson(text), settings.palette) : text;
  };

  if (settings.format === "jsonl") {
    const line = (record: unknown) => write(json(chosen(record)));
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
      : (value: unknown) => write(json(value, settings.terminal ? 2 : undefined));
  const all: unknown[] = [];
  return {
    async item(record) {
      all.push(chosen(record));
    },
    end: () => print(all),
    single: (record) => print(chosen(record)),
  };
}

/** Colors the keys, strings and other values of JSON text whose control characters are escaped. */
function coloredJson(json: string, palette: Palette): Styled {
  if (palette === noColors) return Styled.json(json);
  const parts: (string | Styled)[] = [];
  let end = 0;
  for (const found of json.matchAll(/("(?:[^"\\]|\\.)*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    const [token, text, colon] = found;
    parts.push(json.slice(end, found.index));
    parts.push(palette(text === undefined ? "warn" : colon === undefined ? "good" : "link", token));
    end = found.index + token.length;
  }
  return Styled.join([...parts, json.slice(end)]);
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
    if (record === null) return;
    const isPlain = typeof record !== "object";
    if (columns.length === 0 && !isPlain) columns = Object.keys(record);
    await header();
    await write(
      stringify([isPlain ? [cell(record)] : columns.map((field) => cell(valueAt(record, field.split("."))))]),
    );
  };
  return { item: row, end: header, single: row };
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? jsonText(value) : String(value);
}
