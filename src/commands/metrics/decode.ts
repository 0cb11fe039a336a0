import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { any } from "../../command/args.ts";
import { choice, integer, text, toggle } from "../../command/flags.ts";
import { readInputs } from "../../metrics/inputs.ts";
import { withSink } from "../../metrics/outputs.ts";
import { createReadingWriter, type ReadingFormat, readingFormats } from "../../metrics/reading-writer.ts";
import { fieldPaths } from "../../shape/select.ts";
import { list } from "../../shape/shape.ts";
import { printRecords, readingRecord, recordSink } from "./records.ts";
import { readingFlags, selection } from "./selection.ts";

export const decode = defineCommand({
  summary: "Decode collectd readings",
  details:
    "Reads collectd.types.ValueList messages from files or a stream. A time outside the years 1 to 9999, or with " +
    "invalid nanoseconds, is printed as seconds and nanoseconds: an object in JSON, else @SECONDSs+NANOSns. With --lenient, " +
    "a byte that is not UTF-8 is printed as U+FFFD and two hex digits, and JSON lists such strings in invalid_utf8. " +
    "--framing raw reads the whole input as one message; auto also detects a wrapping request. Messages are limited to 16 MiB. " +
    "--json FIELDS and --jq read all input before they print.",
  on: "nothing",
  effect: "read",
  args: { file: any("files with readings; reads stdin if omitted or -") },
  flags: {
    ...readingFlags,
    format: choice(readingFormats, "output format (ndjson; text on a terminal)"),
    count: integer("stop after this many readings", { min: 1 }),
    output: text("write to a file instead of stdout", { short: "o", placeholder: "FILE" }),
    utc: toggle("with --format text: show times in UTC instead of local time"),
  },
  output: list(readingRecord),
  exits: { invalid: "bad data; the readings before it were written" },
  examples: [
    ["Show the readings in a file", "tongs metrics decode readings.bin"],
    ["Decode a stream as one JSON object per line", "recorder | tongs metrics decode --format ndjson"],
    [
      "Export the load of one host in the last two hours as CSV",
      "tongs metrics decode readings.bin --host edge-01 --plugin load --since 2h --format csv",
    ],
  ],
  async run({ system, options, out, args, flags }) {
    const fields = fieldPaths(options.json ?? "");
    const { filter, timeRange } = selection(flags, system.now());
    const count = flags.count ?? (options.all ? undefined : options.limit);
    const collects = options.jq !== undefined || fields.length > 0;
    const format = collects ? "ndjson" : (flags.format ?? formatFor(options, system.stdout.isTTY === true));
    let skipped = 0;
    await withSink(system, flags.output, async (sink) => {
      const collected = collects ? recordSink() : undefined;
      const writer = createReadingWriter(collected ?? sink, { ...flags, format, filter, timeRange, count });
      const { handle, loadDecoder, flush: onIdle } = writer;
      const { framing, skipErrors } = flags;
      const read = await readInputs({ system, out }, args.file, { framing, skipErrors, handle, loadDecoder, onIdle });
      await writer.end();
      if (collected !== undefined)
        await printRecords(collected.lines(), sink, system, { jq: options.jq, fields, lines: options.jsonl });
      if (read.failure !== undefined) throw read.failure;
      skipped = read.skipped;
    });
    return skipped > 0 ? "invalid" : undefined;
  },
});

function formatFor(options: BaseContext["options"], terminal: boolean): ReadingFormat {
  if (options.jsonl) return "ndjson";
  if (options.csv) return "csv";
  if (options.json !== undefined) return "json";
  return terminal ? "text" : "ndjson";
}
