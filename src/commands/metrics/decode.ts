import { any } from "../../command/args.ts";
import { defineCommand } from "../../command/define.ts";
import { choice, integer, text, toggle } from "../../command/flags.ts";
import type { BaseContext } from "../../context.ts";
import { list } from "../../forge/records/shape.ts";
import { readInputs } from "../../metrics/inputs.ts";
import { withSink } from "../../metrics/outputs.ts";
import { createReadingWriter, type ReadingFormat, readingFormats } from "../../metrics/reading-writer.ts";
import { fieldPaths } from "../../output/select.ts";
import { printRecords, readingRecord, recordSink } from "./records.ts";
import { readingFlags, selection } from "./selection.ts";

export const decode = defineCommand({
  summary: "Decode collectd readings",
  details:
    "Reads collectd.types.ValueList messages, in a file or as they arrive. A time outside the years 1 to 9999, or with " +
    "malformed nanoseconds, is shown as its two parts: an object in JSON, @SECONDSs+NANOSns elsewhere. With --lenient, " +
    "a byte that is not UTF-8 is shown as U+FFFD and its two hex digits, and JSON lists such texts in invalid_utf8. " +
    "--framing raw takes the input as one bare reading; auto also unwraps a request. A message may have 16 MiB. " +
    "--json FIELDS and --jq gather all readings before they print.",
  on: "nothing",
  effect: "read",
  args: { file: any("files of readings; none or - is stdin") },
  flags: {
    ...readingFlags,
    format: choice(readingFormats, "ndjson (when piped), text (on a terminal), json, csv or putval"),
    count: integer("stop after so many readings", { min: 1 }),
    output: text("write to this file", { short: "o", placeholder: "FILE" }),
    utc: toggle("text: times in UTC, not local"),
  },
  output: list(readingRecord),
  exits: { invalid: "the data is damaged; what came before the damage was written" },
  examples: [
    ["Look at a recording", "tongs metrics decode readings.bin"],
    ["As they arrive, one JSON object a line", "recorder | tongs metrics decode --format ndjson"],
    [
      "One host's load of the last two hours, for a spreadsheet",
      "tongs metrics decode readings.bin --host edge-01 --plugin load --since 2h --format csv",
    ],
  ],
  async run({ system, options, out, args, flags }) {
    const fields = fieldPaths(options.json ?? "");
    const { filter, timeRange } = selection(flags, system.now());
    const count = flags.count ?? (options.all ? undefined : options.limit);
    const gathers = options.jq !== undefined || fields.length > 0;
    const format = gathers ? "ndjson" : (flags.format ?? formatFor(options, system.stdout.isTTY === true));
    let skipped = 0;
    await withSink(system, flags.output, async (sink) => {
      const gathered = gathers ? recordSink() : undefined;
      const writer = createReadingWriter(gathered ?? sink, { ...flags, format, filter, timeRange, count });
      const { handle, loadDecoder, flush: onIdle } = writer;
      const { framing, skipErrors } = flags;
      const read = await readInputs({ system, out }, args.file, { framing, skipErrors, handle, loadDecoder, onIdle });
      await writer.end();
      if (gathered !== undefined)
        await printRecords(gathered.lines(), sink, { jq: options.jq, fields, lines: options.jsonl });
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
