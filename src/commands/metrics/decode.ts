import { readdirSync, statSync } from "node:fs";
import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { any } from "../../command/args.ts";
import { choice, choicesOf, type FlagValues, integer, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { leftOutText } from "../../metrics/formats/influx.ts";
import { inputNames, readInputs, warnLate } from "../../metrics/inputs.ts";
import { OutputClosed, refuseEmpty, refuseInput, refuseTerminal, type Sink, withSink } from "../../metrics/outputs.ts";
import { isPartition, layoutIn, layoutOf, partitions } from "../../metrics/parquet/folders.ts";
import { createReadingWriter, readingFormats, type WriterOptions } from "../../metrics/reading-writer.ts";
import { type AheadReadings, aheadWarning, createAheadReadings } from "../../metrics/series/ahead.ts";
import type { Rates } from "../../metrics/series/rates.ts";
import type { Spans } from "../../metrics/series/spans.ts";
import { fieldPaths } from "../../shape/select.ts";
import { list } from "../../shape/shape.ts";
import { fullPath, type Place } from "../../system/files.ts";
import { readingFlags, readSpan, readTypes, selection } from "./flags.ts";
import { chosenFormat, usualFormat } from "./format.ts";
import { printRecords, readingRecord } from "./records.ts";

const usualPartitions = ["day", "host"] as const;
const formats = [...readingFormats, "openmetrics", "delimited", "parquet"] as const;

const flags = {
  ...readingFlags,
  format: choice(formats, "output format (ndjson; text on a terminal)"),
  partitionBy: choicesOf(
    partitions,
    "with --format parquet: write to directories below -o DIR, by day or hour, and by host (day,host)",
  ),
  append: toggle("with --format parquet and -o DIR: add files to the dataset that is there"),
  rates: toggle("replace counters by their rates per second"),
  every: text("print the average, min, max and last of each span (30s, 1m, 1h); for counters, of their rates", {
    placeholder: "SPAN",
  }),
  count: integer("stop after this many readings", { min: 1 }),
  output: text("write to a file instead of stdout", {
    short: "o",
    names: "output file",
    placeholder: "FILE",
    followsLink: true,
  }),
  utc: toggle("with --format text: show times in UTC instead of local time"),
};

export const decode = defineCommand({
  summary: "Decode collectd readings",
  details:
    "Reads collectd.types.ValueList messages from files or a stream, also compressed with gzip, or with zstd on Node 22.15 " +
    "or newer. Of recordings from 16 MiB up, only the blocks with readings that --since, --until, --host and the like select " +
    "are read; the index for this, FILE.index, is made if serve or listen did not make it. Parquet files that tongs wrote, and directories of them, are read like recordings, series by series; row groups and directories without what is selected are skipped. A time outside the years 1 to 9999, or with " +
    "invalid nanoseconds, is printed as seconds and nanoseconds: an object in JSON, else @SECONDSs+NANOSns; formats that have no " +
    "form for it (invalid nanoseconds; for Influx and Parquet, years before 1678 or after 2261) report it as bad data. With --lenient, " +
    "a byte that is not UTF-8 is printed as U+FFFD and two hex digits, and JSON lists such strings in invalid_utf8. " +
    "--framing raw reads the whole input as one message; auto also detects a wrapping request. Messages are limited to 16 MiB. " +
    "--jq reads all input before it prints, unless the program starts with .[] and a pipe, or is only a path such as " +
    ".[].time; so does --format openmetrics, which must group it. With " +
    "--rates, the first reading of a counter and one after a reset have no rate; --types-db sets limits. With --rates and --every, " +
    "readings ahead of the clock are left out unless --until is given. Parquet files have " +
    "one row for each value, sorted by host, plugin, plugin_instance, type, type_instance, ds_name and time, and appear when " +
    "all are complete; time is a timestamp in microseconds, time_ns is exact. If -o is a directory or ends with /, each day and host has " +
    "a file below it (day=2026-01-31/host=edge-01/part-….parquet, days of UTC, special characters percent-encoded; a host that is too long for a name is cut, with a hash at its end). What a " +
    "directory names is not a column, and null for readings without host or time.",
  on: "nothing",
  effect: "read",
  asTool: "write",
  args: {
    file: any("files with readings, or directories of Parquet files (default: stdin)", {
      dash: "stdin",
      names: "input file",
    }),
  },
  flags,
  output: list(readingRecord),
  exits: {
    invalid: "bad data; the readings before it were written",
    refused: "the dataset is already there, or has other directories",
  },
  examples: [
    ["Show the readings in a file", "tongs metrics decode readings.bin"],
    ["Decode a stream as one JSON object per line", "recorder | tongs metrics decode --format ndjson"],
    [
      "Export the load of one host in the last two hours as CSV",
      "tongs metrics decode readings.bin --host edge-01.example.net --plugin load --since 2h --format csv",
    ],
    ["Make a dataset of Parquet files", "tongs metrics decode readings.bin --format parquet -o dataset/"],
    ["Add another recording to it", "tongs metrics decode more.bin --format parquet -o dataset/ --append"],
    [
      "Print network traffic per second, averaged over a minute",
      "tongs metrics decode readings.bin --plugin interface --type if_octets --every 1m",
    ],
    [
      "Make a smaller recording, with the average, min, max and last of each hour",
      "tongs metrics decode readings.bin --every 1h --format delimited -o hours.bin",
    ],
  ],
  async run({ system, options, out, args, flags }) {
    const fields = fieldPaths(options.json ?? "");
    const wanted = selection(flags, system.now());
    const { filter, timeRange } = wanted;
    const count = flags.count ?? (options.all ? undefined : options.limit);
    const collects = options.jq !== undefined || fields.length > 0;
    const given: Format = chosenFormat(options, flags.format) ?? usualFormat(system.stdout.isTTY);
    const format = collects ? "ndjson" : given;
    refuseInput(system, flags.output, [...inputNames(args.file), flags.typesDb, flags.authFile]);
    const changes = await changesOf(system, flags, timeRange.until === undefined);
    let result: Awaited<ReturnType<typeof readInputs>> = { skipped: 0 };

    /** Returns false if the input was damaged before there was anything to write. */
    async function write(sink: Sink, chosen: WriterOptions["format"]): Promise<boolean> {
      const { lenient, utc } = flags;
      const settings = { lenient, utc, ...changes, format: chosen, filter, timeRange, count };
      let [written, noForm] = [0, 0];
      await printRecords(sink, system, { jq: options.jq, fields, lines: options.jsonl }, async (records) => {
        const writer = createReadingWriter(records, settings);
        const { handle, flush: onIdle } = writer;
        result = await readInputs({ system, out }, args.file, { flags, handle, onIdle, wanted });
        await writer.end();
        [written, noForm] = [writer.written(), writer.leftOut()];
      });
      const leftOut = (changes.rates?.leftOut() ?? 0) + (changes.spans?.leftOut() ?? 0);
      warnLate(out, leftOut, args.file);
      const ahead = changes.ahead?.count() ?? 0;
      if (ahead > 0) out.warn(aheadWarning(ahead, "reading"));
      if (noForm > 0) out.note(leftOutText(noForm, format));
      return result.failure === undefined || written > 0;
    }

    if (format === "parquet") await writeParquet(system, flags, write);
    else {
      if (flags.partitionBy.length > 0) throw new UsageError("--partition-by requires --format parquet");
      if (flags.append) throw new UsageError("--append requires --format parquet");
      const json = options.jq === undefined && (format === "json" || format === "ndjson");
      if (format === "delimited") refuseTerminal(system, flags.output);
      const chosen = await writerOf(format);
      await withSink(system, flags.output, (sink) => write(sink, chosen), { json });
    }
    if (result.failure !== undefined) throw result.failure;
    return result.skipped > 0 ? "invalid" : undefined;
  },
});

type DecodeFlags = FlagValues<typeof flags>;
type Format = (typeof formats)[number];

async function changesOf(
  system: Pick<BaseContext["system"], "now"> & Place,
  flags: DecodeFlags,
  upToNow: boolean,
): Promise<{ readonly ahead?: AheadReadings; readonly rates?: Rates; readonly spans?: Spans }> {
  const span = readSpan(flags.every, "--every");
  if (!flags.rates && span === undefined) return {};
  const { createRates } = await import("../../metrics/series/rates.ts");
  const rates = createRates(readTypes(system, flags.typesDb));
  const kept = { ...(upToNow ? { ahead: createAheadReadings(system.now().getTime() / 1000) } : {}), rates };
  if (span === undefined) return kept;
  const { createSpans } = await import("../../metrics/series/spans.ts");
  return { ...kept, spans: createSpans(span) };
}

async function writerOf(format: Exclude<Format, "parquet">): Promise<WriterOptions["format"]> {
  if (format === "openmetrics") return (await import("../../metrics/formats/openmetrics.ts")).createOpenMetricsPrinter;
  if (format === "delimited") return (await import("../../metrics/formats/delimited.ts")).createDelimitedPrinter;
  return format;
}

function parquetPath({ output, partitionBy }: DecodeFlags): string {
  if (output !== undefined && output !== "-") return output;
  const what = partitionBy.length > 0 ? "-o DIR" : "-o FILE";
  throw new UsageError("Parquet cannot be written to stdout", `Use ${what}.`);
}

async function writeParquet(
  system: Place & Pick<BaseContext["system"], "signal">,
  flags: DecodeFlags,
  write: (sink: Sink, chosen: WriterOptions["format"]) => Promise<boolean>,
): Promise<void> {
  const { signal } = system;
  const given = parquetPath(flags);
  refuseEmpty(given);
  const path = fullPath(given, system);
  const there = statSync(path, { throwIfNoEntry: false });
  if (flags.partitionBy.length > 0 && there?.isDirectory() === false)
    throw new UsageError(`${given} is a file, but --partition-by writes to a directory`, "Use -o DIR.");
  const isFolder = /[/\\]$/.test(given) || there?.isDirectory() === true;
  const by = flags.partitionBy.length === 0 && isFolder ? usualPartitions : flags.partitionBy;
  if (flags.append && by.length === 0) throw new UsageError("--append requires a directory", "Use -o DIR/.");
  if (!flags.append && by.length > 0 && there !== undefined && readdirSync(path).some(isPartition)) {
    const hint =
      "Use --append to add another recording: rows of the same one would be there twice. To make it again, remove it first.";
    throw new Failure("exists", `${given} already has a dataset`, { hint });
  }
  const known = flags.append && there !== undefined ? layoutIn(path) : undefined;
  if (known !== undefined && known !== layoutOf(by)) {
    const hint = "Use --partition-by as for the dataset, or another directory.";
    throw new Failure("exists", `${given} has a dataset by ${known}, not by ${layoutOf(by)}`, { hint });
  }
  const [{ createParquetOutput }, { reportDiskErrors }] = await Promise.all([
    import("../../metrics/parquet/output.ts"),
    import("../../failure/disk.ts"),
  ]);
  const writing = reportDiskErrors(async () => {
    const output = createParquetOutput(path, by);
    const checkAborted = () => signal.throwIfAborted();
    try {
      const sink = { write: () => {}, drained: () => output.relieve(checkAborted) };
      const isSound = await write(sink, () => output.printer);
      if (!isSound) return;
      await output.finish(checkAborted);
      await output.publish(checkAborted);
    } finally {
      output.discard();
    }
  }, given);
  await writing.catch((error: unknown) => {
    // The reader of a pipe closed it.
    if (!(error instanceof OutputClosed)) throw error;
  });
}
