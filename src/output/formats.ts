import { pick } from "../shape/select.ts";
import type { System } from "../system/system.ts";
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
  readonly system: System;
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
    const { csvWriter } = await import("./csv.ts");
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
