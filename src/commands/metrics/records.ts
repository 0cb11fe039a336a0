import type { Sink } from "../../metrics/outputs.ts";
import { utf8Bytes } from "../../metrics/wire/text.ts";
import { anything, list, map, optional, record, string } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

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

/** Creates a sink that collects NDJSON, for output that needs all records at once. */
export function recordSink(): Sink & { readonly lines: () => string[] } {
  const chunks: Uint8Array[] = [];
  return {
    write: (bytes) => {
      chunks.push(Uint8Array.from(bytes));
    },
    drained: () => undefined,
    lines: () => Buffer.concat(chunks).toString("utf8").split("\n").slice(0, -1),
  };
}

/** Prints records, given as lines of JSON, through jq or with selected fields. */
export async function printRecords(
  lines: readonly string[],
  sink: Sink,
  system: System,
  options: { readonly jq: string | undefined; readonly fields: readonly string[]; readonly lines: boolean },
): Promise<void> {
  let records = lines;
  if (options.fields.length > 0) {
    const [{ pick }, { jsonText }] = await Promise.all([import("../../shape/select.ts"), import("../../text/json.ts")]);
    records = lines.map((line) => jsonText(pick(JSON.parse(line), options.fields)));
  }
  if (options.jq !== undefined) {
    const { runJq } = await import("../../output/jq.ts");
    sink.write(utf8Bytes(await runJq(options.jq, `[${records.join()}]`, system)));
  } else {
    sink.write(utf8Bytes(options.lines ? records.map((line) => `${line}\n`).join("") : `[${records.join()}]\n`));
  }
}
