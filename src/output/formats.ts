import { pick, reach } from "../shape/select.ts";
import { jsonText } from "../text/json.ts";

/** The forms a result can be printed in. */
export type Format = "text" | "json" | "jsonl" | "csv" | "jq";

/** Prints records: several through `item` and `end`, or one through `single`. */
export interface RecordWriter {
  item(record: unknown): Promise<void>;
  end(): Promise<void>;
  single(record: unknown): Promise<void>;
}

interface Settings {
  readonly format: Format;
  readonly fields: readonly string[];
  readonly csvFields: readonly string[];
  readonly jq: string | undefined;
  readonly pretty: boolean;
  readonly write: (content: string) => Promise<void>;
}

/** The writer for a format. JSON arrays come whole or not at all; JSON lines and CSV come as the records do. */
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
      ? async (value: unknown) => write(await (await import("./jq.ts")).runJq(settings.jq ?? ".", jsonText(value)))
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

/** CSV with a header line; nested values as compact JSON. Without known fields, the first record's are taken. */
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
    await write(stringify([columns.map((field) => cell(reach(record, field.split("."))))]));
  };
  return { item: row, end: header, single: row };
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? jsonText(value) : String(value);
}
