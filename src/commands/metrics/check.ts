import { defineCommand } from "../../app/define.ts";
import { any, one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { createChecker } from "../../metrics/check/checker.ts";
import { type Checked, pluginText } from "../../metrics/check/plugin-text.ts";
import { readRange } from "../../metrics/check/range.ts";
import { timeText } from "../../metrics/check/watch.ts";
import { readInputs } from "../../metrics/inputs.ts";
import type { Named } from "../../metrics/reading/identity.ts";
import { namesLike } from "../../metrics/reading/names-like.ts";
import { doubleText } from "../../metrics/reading/values.ts";
import { handleAlone } from "../../metrics/stream/messages.ts";
import { anything, integer, list, optional, record, string, words } from "../../shape/shape.ts";
import { currentReadings } from "./current-readings.ts";
import { readingFlags, readSpan, readTypes, selection, tlsFlags } from "./flags.ts";
import { sourceFields } from "./records.ts";

// From the worst to the best.
const states = ["critical", "warning", "unknown", "ok"] as const;

const flags = {
  warn: text("warn about values outside this range", {
    short: "w",
    placeholder: "RANGE",
    aliases: [{ name: "warning" }],
  }),
  crit: text("report values outside this range as critical", {
    short: "c",
    placeholder: "RANGE",
    aliases: [{ name: "critical" }],
  }),
  for: text("only if they have been outside it for this long (30s, 5m, 1h)", { placeholder: "SPAN" }),
  server: text("check the current readings of a collectd gRPC server, as HOST:PORT", {
    names: "address",
    placeholder: "ADDRESS",
  }),
  ...readingFlags,
  ...tlsFlags,
};

export const check = defineCommand({
  summary: "Check the last values of series, as a monitoring plugin",
  details:
    "Prints one line with the state and performance data, and exits with 0, 1, 2 or 3, as Nagios, Icinga and others " +
    "expect. Ranges are those of monitoring plugins: 10 is 0 to 10, 10: at least 10, '~:10' at most 10 (shells " +
    "replace ~ outside quotes), 10:20 from 10 to 20; @10:20 alerts inside instead. The last value of each series counts, and for counters their last rate per second. " +
    "A series is UNKNOWN if its last value is NaN, or if more than two of its readings are missing before the last reading of the input. " +
    "With --since 10m, a recording that has stopped is UNKNOWN. --for starts again after a value in the range, " +
    "NaN, a counter reset, and missing readings. Readings that are ahead of the clock by more than their interval, or " +
    "a minute if that is more, are left out and counted. Late readings are ignored, so name rotated files from the oldest to the newest.",
  on: "nothing",
  effect: "read",
  plugin: true,
  args: {
    series: one("series to check, as metrics stat names them; * and ? are wildcards"),
    file: any("files with readings, or directories of Parquet files", { dash: "stdin", names: "input file" }),
  },
  flags,
  output: list(
    record({
      ...sourceFields,
      state: words(...states),
      value: optional(anything),
      time: optional(string),
      since: optional(string),
      reason: optional(string),
      ahead: optional(integer),
    }),
  ),
  examples: [
    [
      "Warn above a load of 10, and report more than 20 for five minutes as critical",
      "tongs metrics check '*/load/load:shortterm' readings.bin --since 15m --warn 10 --crit 20 --for 5m",
    ],
    [
      "Check that at least 10 GB are free, asking collectd",
      "tongs metrics check 'df-root/df_complex-free' --server 127.0.0.1:50051 --crit 10e9:",
    ],
  ],
  async run({ system, options, out, args, flags }) {
    const hold = readSpan(flags.for, "--for") ?? 0;
    const rule = { warn: readRange(flags.warn, "--warn"), crit: readRange(flags.crit, "--crit"), hold };
    if (rule.warn === undefined && rule.crit === undefined) throw new UsageError("Specify --warn, --crit or both");
    const { server, lenient } = flags;
    if (args.file.length > 0 === (server !== undefined))
      throw new UsageError("Specify either FILE or --server", "- reads stdin.");
    if (server !== undefined && flags.for !== undefined)
      throw new UsageError("--for requires FILE: a server has only the last readings");
    const now = system.now();
    const names = namesLike([args.series]);
    const selected = selection(flags, now);
    const { filter, timeRange } = selected;
    const types = readTypes(system, flags.typesDb);
    const { handle, checked } = createChecker(rule, names, {
      lenient: lenient || server !== undefined,
      filter,
      timeRange,
      wanted: names.hasAny,
      types,
      now,
    });
    if (server === undefined) {
      const wanted = { ...selected, filter: (series: Named) => filter?.(series) !== false && names.hasAny(series) };
      const reading = { flags, handle, wanted, mayGrow: true };
      const { failure } = await readInputs({ system, out }, args.file, reading);
      if (failure !== undefined) throw failure;
    } else {
      const { found } = await currentReadings(server, "*", flags, { system, options, out });
      handleAlone(handle, found, (fault) => out.warn(`Skipped a bad reading from ${server}: ${fault}`));
    }
    const all = checked();
    if (all.length === 0) throw names.noneFound();
    if (out.records) await out.items(all.slice(0, options.limit).map(recordOf));
    else await out.raw(pluginText(all, rule));
    return all[0]?.state;
  },
});

function recordOf({ name, state, reason, since, watched: { labels, last, value, ahead } }: Checked) {
  return {
    series: name,
    ...labels,
    state,
    ...(value === undefined ? {} : { value: Number.isFinite(value) ? value : doubleText(value) }),
    ...(last === undefined ? {} : { time: timeText(last) }),
    ...(since === undefined ? {} : { since: timeText(since) }),
    ...(reason === undefined ? {} : { reason }),
    ...(ahead === 0 ? {} : { ahead }),
  };
}
