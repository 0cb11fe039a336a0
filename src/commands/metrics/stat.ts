import type { PlainContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { any } from "../../command/args.ts";
import { choice, choicesOf, type FlagValues, integer as integerFlag } from "../../command/flags.ts";
import { typeSource } from "../../metrics/encode/types-db.ts";
import { readInputs, warnLate } from "../../metrics/inputs.ts";
import { type GroupKey, groupKeys, namer } from "../../metrics/reading/identity.ts";
import { readValues } from "../../metrics/series/samples.ts";
import { type GroupRecord, noLabels, recordOf } from "../../metrics/stat/group-record.ts";
import { createSeriesTable, maxSeries, type Statistic, statistics } from "../../metrics/stat/groups.ts";
import { ranked } from "../../metrics/stat/ranking.ts";
import { anything, integer, list, number, optional, record, string } from "../../shape/shape.ts";
import { readingFlags, readTypes, selection } from "./flags.ts";
import { fitColumns, statColumns } from "./stat-columns.ts";

const label = optional(string);

/** The record of a group. 64-bit integers are strings, as in all JSON of metrics. */
const groupRecord = record({
  series: label,
  host: label,
  plugin: label,
  plugin_instance: label,
  type: label,
  type_instance: label,
  ds_name: label,
  kind: label,
  count: integer,
  nan: integer,
  first_time: optional(string),
  last_time: optional(string),
  // A series of NaN alone has none.
  min: optional(anything),
  mean: optional(anything),
  max: optional(anything),
  last: optional(anything),
  rate_min: optional(number),
  rate: optional(number),
  rate_max: optional(number),
  rate_p95: optional(number),
  resets: integer,
  wraps: integer,
});

export const stat = defineCommand({
  summary: "Summarize collectd readings by series",
  details:
    "A series is named HOST/PLUGIN-INSTANCE/TYPE-INSTANCE:DS; the host is omitted if all series share one host. Rates are the increase " +
    "per second of counter, derive and absolute values; rate is the mean. With --by, min, mean, max and last are those of all " +
    "readings of a group, and rate is the sum of the rates of its series; rate_min, rate_max and rate_p95 are known only for a group with " +
    "one such series. A counter that decreases is treated as a wrap at " +
    "32 or 64 bits if that makes a small step, else as a reset. A derive that drops by more than half is treated as a reset; " +
    "with --types-db, every rate outside the limits of its type is unknown. The 95th percentile is exact up to 4096 rates per " +
    "series, or fewer with more than 1000 series; beyond that, only every second, fourth, eighth (and so on) rate is used. NaN values are counted as nan and " +
    `excluded from min, max and mean. At most ${maxSeries} series are tracked; others are counted, with a warning and exit code 11.`,
  on: "nothing",
  effect: "read",
  args: {
    file: any("files with readings, or directories of Parquet files (default: stdin)", {
      dash: "stdin",
      names: "input file",
    }),
  },
  flags: {
    ...readingFlags,
    by: choicesOf(groupKeys, "labels to group by (default: all)"),
    sort: choice(statistics, "sort by a statistic, the greatest first (default: by the labels)"),
    top: integerFlag("only the first N, sorted by --sort, or else by count", { min: 1 }),
  },
  output: list(groupRecord),
  exits: { invalid: "bad data", partly: "too many series: some were skipped" },
  examples: [
    ["List the series in a file", "tongs metrics stat readings.bin"],
    [
      "Sum up network traffic by host",
      "tongs metrics stat readings.bin --plugin interface --type if_octets --by host,ds_name --csv",
    ],
    ["Find the plugins that send the most values", "tongs metrics stat readings.bin --by host,plugin --top 10"],
  ],
  async run({ system, options, out, args, flags }) {
    const by = flags.by.length === 0 ? groupKeys : flags.by;
    const { table, read } = await summarize({ system, out }, args.file, by, flags);
    const sort = flags.sort ?? (flags.top === undefined ? undefined : "count");
    const groups = listing(table, by, { sort, top: flags.top });
    const columns = statColumns(by);
    const shown = out.terminal
      ? fitColumns(columns, await all(groups), out.width, { now: system.now(), sort })
      : columns;
    const unlimited = options.limit === undefined;
    await out.list(groups, shown, { unlimited, csvFields: columns.map(({ field }) => field) });
    warnLate(out, table.late(), args.file, " in rates");
    const leftOut = table.leftOut();
    if (leftOut > 0) {
      const more = leftOut >= maxSeries ? "at least " : "";
      out.warn(
        `Skipped ${more}${leftOut} series beyond the first ${maxSeries}. Use --host, --plugin or --type to select fewer.`,
      );
    }
    if (read.failure !== undefined) throw read.failure;
    return read.skipped > 0 ? "invalid" : leftOut > 0 ? "partly" : undefined;
  },
});

/** Reads the values of all files into a table. What reading needs beside it is released at the end. */
async function summarize(
  { system, out }: Pick<PlainContext, "system" | "out">,
  files: readonly string[],
  by: readonly GroupKey[],
  flags: FlagValues<typeof readingFlags>,
) {
  const types = readTypes(system, flags.typesDb);
  const table = createSeriesTable(by);
  const wanted = selection(flags, system.now());
  const handle = readValues(
    {
      sourceOf: (_reading, labels) => table.series(labels, typeSource(types, labels.type, labels.ds_name)),
      value: (series, sample) => {
        if (series >= 0) table.add(series, sample);
      },
    },
    { lenient: flags.lenient, ...wanted },
  );
  return { table, read: await readInputs({ system, out }, files, { flags, handle, wanted }) };
}

/** The records of the groups, sorted by a statistic or by their labels, made one by one as they are printed. */
function listing(
  table: ReturnType<typeof createSeriesTable>,
  by: readonly GroupKey[],
  { sort, top }: { readonly sort: Statistic | undefined; readonly top: number | undefined },
) {
  const sorted = table.sorted();
  const groups = (sort === undefined ? sorted : ranked(sorted, sort, table.group)).subarray(0, top);
  const name = by === groupKeys ? namer(labelsOfAll()) : undefined;

  function* labelsOfAll() {
    for (const host of table.hosts()) yield { ...noLabels, host };
  }
  async function* pages(limit: number) {
    for (let at = 0; at < Math.min(limit, groups.length); at += pageSize) {
      yield Array.from(groups.subarray(at, Math.min(limit, at + pageSize)), (group) =>
        recordOf(table.group(group), name),
      );
      // Let signals be handled, and memory be collected.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  async function* take(limit: number) {
    for await (const page of pages(limit)) yield* page;
  }
  return { take, pages, total: sorted.length };
}

const pageSize = 50;

async function all(groups: ReturnType<typeof listing>): Promise<GroupRecord[]> {
  const records = [];
  for await (const one of groups.take(Number.POSITIVE_INFINITY)) records.push(one);
  return records;
}
