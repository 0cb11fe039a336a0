import type { Sink } from "../../metrics/outputs.ts";
import { utf8Bytes } from "../../metrics/wire/text.ts";
import type { Jq } from "../../output/jq.ts";
import { anything, list, map, optional, record, string } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

/** What a record says of a data source, beside its values. */
export const sourceFields = {
  series: string,
  host: string,
  plugin: string,
  plugin_instance: string,
  type: string,
  type_instance: string,
  ds_name: string,
  kind: string,
};

/** The canonical JSON of `collectd.types.ValueList`. 64-bit integers are strings. */
export const readingRecord = record({
  values: optional(list(anything)),
  time: optional(anything),
  interval: optional(anything),
  identifier: optional(
    record({
      host: optional(string),
      plugin: optional(string),
      plugin_instance: optional(string),
      type: optional(string),
      type_instance: optional(string),
    }),
  ),
  ds_names: optional(list(string)),
  meta_data: optional(map(anything)),
  invalid_utf8: optional(list(string)),
});

/** How records are printed. */
interface RecordOptions {
  readonly jq: string | undefined;
  /** The fields to print; all if it is empty. */
  readonly fields: readonly string[];
  /** Without jq: one record per line instead of an array. */
  readonly lines: boolean;
}

/**
 * Calls `work` with a sink for records as NDJSON, and prints them through jq or with selected fields; without either,
 * passes them on as they are. Prints as readings come in, unless the jq program needs all at once.
 */
export async function printRecords(
  sink: Sink,
  system: System,
  { jq, fields, lines }: RecordOptions,
  work: (records: Sink) => Promise<void>,
): Promise<void> {
  if (jq === undefined && fields.length === 0) return work(sink);
  const inBatches = jq === undefined || treatsItemsAlone(jq);
  let running: Jq | undefined;
  let chunks: Uint8Array[] = [];
  let printed = 0;

  async function print(isLast: boolean): Promise<void> {
    const given = Buffer.concat(chunks).toString("utf8").split("\n").slice(0, -1);
    chunks = [];
    const records = await selected(given, fields);
    if (jq !== undefined) {
      if (records.length === 0 && printed > 0) return;
      running ??= (await import("../../output/jq.ts")).openJq(system);
      sink.write(utf8Bytes(await running.run(jq, `[${records.join()}]`)));
    } else if (lines) sink.write(utf8Bytes(records.map((line) => `${line}\n`).join("")));
    else {
      const before = printed === 0 ? "[" : records.length === 0 ? "" : ",";
      sink.write(utf8Bytes(`${before}${records.join()}${isLast ? "]\n" : ""}`));
    }
    printed += records.length;
    await sink.drained();
  }

  const records: Sink = {
    write: (bytes) => {
      chunks.push(Uint8Array.from(bytes));
    },
    drained: () => (inBatches && chunks.length > 0 ? print(false) : undefined),
  };
  try {
    await work(records);
    await print(true);
  } finally {
    running?.close();
  }
}

/** The records, given as lines of JSON, with only these fields. */
async function selected(lines: readonly string[], fields: readonly string[]): Promise<readonly string[]> {
  if (fields.length === 0) return lines;
  const [{ pick }, { jsonText }] = await Promise.all([import("../../shape/select.ts"), import("../../text/json.ts")]);
  return lines.map((line) => jsonText(pick(JSON.parse(line), fields)));
}

// A path into each item, and what follows the first pipe.
const perItem = /^\s*\.\[\]\??(?:(?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\\]*"\]|\[\])\??)*\s*(?:\|(?!=)|$)/;

/** Whether a jq program treats each item of a list alone, so that its output for parts of the list is the same. */
export function treatsItemsAlone(program: string): boolean {
  return perItem.test(program) && !/\b(?:inputs?|input_line_number|halt|halt_error)\b/.test(program);
}
