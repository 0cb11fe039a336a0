import { defineCommand } from "../../app/define.ts";
import { one, optional } from "../../command/args.ts";
import { choice, toggle } from "../../command/flags.ts";
import { type Sink, withSink } from "../../metrics/outputs.ts";
import { createReadingWriter, readingFormats } from "../../metrics/reading-writer.ts";
import { handleAlone } from "../../metrics/stream/messages.ts";
import { fieldPaths } from "../../shape/select.ts";
import { list } from "../../shape/shape.ts";
import { currentReadings } from "./current-readings.ts";
import { tlsFlags } from "./flags.ts";
import { chosenFormat, usualFormat } from "./format.ts";
import { printRecords, readingRecord } from "./records.ts";

// Further reasons are not printed.
const maxReasons = 3;

export const query = defineCommand({
  summary: "List the current readings of collectd, by gRPC or its unixsock plugin",
  details:
    "Prints the last reading of each series in the cache of the server, as decode does. IDENTIFIER is a series name as " +
    "collectd writes it, HOST/PLUGIN-INSTANCE/TYPE-INSTANCE, with * ? and [a-z] as wildcards within its three parts; parts " +
    "that are left out match everything.\n\n" +
    "unix:PATH is the socket of collectd's unixsock plugin, often /var/run/collectd-unixsock. It has no types: all values are " +
    "gauges, those of counters are rates, and intervals are not known. Of Parquet files, the last reading of each series is printed.",
  on: "nothing",
  effect: "read",
  args: {
    server: one(
      "address of a collectd gRPC server, as HOST:PORT, or unix:PATH; or a Parquet file, or a directory of these",
      { names: "address" },
    ),
    identifier: optional("only series whose name matches, such as 'edge-*/cpu-*'"),
  },
  flags: {
    format: choice(readingFormats, "output format (ndjson; text on a terminal)"),
    utc: toggle("with --format text: show times in UTC instead of local time"),
    ...tlsFlags,
  },
  output: list(readingRecord),
  exits: {
    noAnswer: "no response from HOST:PORT",
    invalid: "the server sent bad data, or a reading that the format cannot represent; the others were printed",
  },
  examples: [
    ["List all current readings", "tongs metrics query 127.0.0.1:50051"],
    ["List what collectd has on this machine", "tongs metrics query unix:/var/run/collectd-unixsock"],
    ["List the load of all hosts", "tongs metrics query 127.0.0.1:50051 '*/load/load'"],
  ],
  async run({ system, options, out, args, flags }) {
    const fields = fieldPaths(options.json ?? "");
    const collects = options.jq !== undefined || fields.length > 0;
    const given = chosenFormat(options, flags.format) ?? usualFormat(system.stdout.isTTY);
    const format = collects ? "ndjson" : given;
    const { found, matches } = await currentReadings(args.server, args.identifier ?? "*", flags, {
      system,
      options,
      out,
    });
    const faults: string[] = [];
    const json = options.jq === undefined && (format === "json" || format === "ndjson");
    const print = async (records: Sink) => {
      const { utc } = flags;
      const writer = createReadingWriter(records, {
        format,
        utc,
        lenient: true,
        filter: matches,
        count: options.limit,
      });
      handleAlone(writer.handle, found, (fault) => void faults.push(fault));
      await writer.end();
    };
    const settings = { jq: options.jq, fields, lines: options.jsonl };
    const printTo = (sink: Sink) => printRecords(sink, system, settings, print);
    await withSink(system, undefined, printTo, { json });
    if (faults.length === 0) return undefined;
    const readings = faults.length === 1 ? "a reading" : `${faults.length} readings`;
    out.warn(`Skipped ${readings} from ${args.server}: ${[...new Set(faults)].slice(0, maxReasons).join("; ")}`);
    return "invalid";
  },
});
