import { defineCommand } from "../../app/define.ts";
import { any } from "../../command/args.ts";
import { choicesOf } from "../../command/flags.ts";
import { readInputs } from "../../metrics/inputs.ts";
import { type GroupKey, groupKeys, labelsOf, sourceName } from "../../metrics/reading/identity.ts";
import { type GroupRecord, recordOf } from "../../metrics/stat/group-record.ts";
import { addValue, createSeriesTable, maxSeries } from "../../metrics/stat/groups.ts";
import { readValues } from "../../metrics/stat/read-values.ts";
import { when } from "../../output/cells.ts";
import { type Column, column } from "../../output/table.ts";
import { anything, integer, list, number, optional, record, string } from "../../shape/shape.ts";
import { readingFlags, selection } from "./selection.ts";

const label = optional(string);

/** The record of a group. 64-bit integers are strings, as in all JSON of metrics. */
const groupRecord = record({
  ...{
    host: label,
    plugin: label,
    plugin_instance: label,
    type: label,
    type_instance: label,
    ds_name: label,
    kind: label,
  },
  ...{ count: integer, nan: integer, first_time: optional(string), last_time: optional(string) },
  ...{ min: anything, max: anything, mean: anything, last: anything },
  ...{ rate: optional(number), resets: integer, wraps: integer },
});

export const stat = defineCommand({
  summary: "Summarize collectd readings by series",
  details:
    "The rate is the increase per second of counter, derive and absolute values. A counter that decreases is treated as a wrap at " +
    "32 or 64 bits if that makes a small step, else as a reset. A derive that drops by more than half is treated as a reset. " +
    `At most ${maxSeries} data sources are tracked; values of others are skipped, with a warning and exit code 11. ` +
    "NaN values are counted as nan and excluded from min, max and mean.",
  on: "nothing",
  effect: "read",
  args: { file: any("files with readings; reads stdin if omitted or -") },
  flags: { ...readingFlags, by: choicesOf(groupKeys, "labels to group by (default: all)") },
  output: list(groupRecord),
  exits: { invalid: "bad data", partly: "too many series: some values were skipped" },
  examples: [
    ["List the series in a file", "tongs metrics stat readings.bin --all"],
    ["Sum up network traffic by host", "tongs metrics stat readings.bin --plugin interface --by host,ds_name --csv"],
  ],
  async run({ system, out, args, flags }) {
    const by = flags.by.length === 0 ? groupKeys : flags.by;
    const table = createSeriesTable(by);
    let untracked = 0;
    const handle = readValues(
      {
        sourceOf: (reading, index, kind) => table.series(labelsOf(reading, index, kind)),
        value: (series, value, at) => {
          if (series === undefined) untracked += 1;
          else addValue(series, value, at);
        },
      },
      { lenient: flags.lenient, ...selection(flags, system.now()) },
    );
    const { framing, skipErrors } = flags;
    const loadDecoder = async () => {};
    const read = await readInputs({ system, out }, args.file, { framing, skipErrors, handle, loadDecoder });
    const records = table.groups().map(recordOf);
    await out.list(records, out.terminal ? terminalColumns(by, records) : pipeColumns(by));
    if (untracked > 0)
      out.warn(
        `Skipped ${untracked} values: more than ${maxSeries} series. Use --host, --plugin or --type to select fewer.`,
      );
    if (read.failure !== undefined) throw read.failure;
    return read.skipped > 0 ? "invalid" : untracked > 0 ? "partly" : undefined;
  },
});

/** Columns for a pipe: one for each value. */
function pipeColumns(by: readonly GroupKey[]): Column<GroupRecord>[] {
  return [
    ...by.map((key) => column<GroupRecord>(key, (group) => group[key])),
    ...(
      ["count", "nan", "first_time", "last_time", "min", "mean", "max", "last", "rate", "resets", "wraps"] as const
    ).map((key) => column<GroupRecord>(key, (group) => group[key])),
  ];
}

/** Columns for a terminal: the series in one column, without columns that are all zero. */
function terminalColumns(by: readonly GroupKey[], records: readonly GroupRecord[]): Column<GroupRecord>[] {
  const bySeries = by === groupKeys;
  // Omit the host if it is the same for all.
  const hosts = new Set(records.map(({ host }) => host));
  const prefixSize = hosts.size === 1 ? `${[...hosts][0]}/`.length : 0;
  const series = column<GroupRecord>(
    "SERIES",
    (group) => sourceName({ ...noLabels, ...group }).slice(prefixSize),
    true,
  );
  const keys = bySeries ? (["kind"] as const) : by;
  const counts = (["nan", "resets", "wraps"] as const).filter((key) => records.some((group) => group[key] > 0));
  return [
    ...(bySeries ? [series] : []),
    ...keys.map((key) => column<GroupRecord>(key.toUpperCase(), (group) => group[key], true)),
    column("COUNT", ({ count }) => count),
    column("FIRST", ({ first_time }) => when(first_time)),
    column("LAST SEEN", ({ last_time }) => when(last_time)),
    ...(["min", "mean", "max", "last"] as const).map((key) =>
      column<GroupRecord>(key.toUpperCase(), (group) => shortNumber(group[key])),
    ),
    column("RATE/S", ({ rate }) => shortNumber(rate)),
    ...counts.map((key) => column<GroupRecord>(key.toUpperCase(), (group) => group[key])),
  ];
}

const noLabels = { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "", ds_name: "", kind: "" };

/** Shortens decimals for display; integers stay exact. */
function shortNumber(value: string | number | undefined): string {
  return typeof value === "number" && !Number.isInteger(value)
    ? String(Number(value.toPrecision(5)))
    : String(value ?? "");
}
