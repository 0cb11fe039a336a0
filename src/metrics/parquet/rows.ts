import type { SchemaElement } from "hyparquet";
import type { Fields } from "../decode/fields.ts";
import { kindNames, seriesOf } from "../decode/series.ts";
import { createJsonTail } from "../formats/json-tail.ts";
import { identityParts, partOf } from "../reading/identity.ts";
import { intervalOf, nanosecondsOf } from "../reading/moments.ts";
import { emptySample, exactValue, nearestDouble, takeValue } from "../series/samples.ts";
import { displayText } from "../wire/text.ts";

const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
// Without a logical type: hyparquet-writer 0.17 writes that of integers in a form that DuckDB rejects.
const unsigned = { type: "INT64", converted_type: "UINT_64" } as const;
// Spark and Hive have no timestamps in nanoseconds, and refuse a file that has them.
const timestamp = {
  type: "INT64",
  converted_type: "TIMESTAMP_MICROS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
} as const;
const required = { repetition_type: "REQUIRED" } as const;
const optional = { repetition_type: "OPTIONAL" } as const;

const fields: readonly SchemaElement[] = [
  { name: "time", ...timestamp, ...optional },
  { name: "time_ns", type: "INT64", ...optional },
  { name: "interval", type: "DOUBLE", ...optional },
  ...[...identityParts, "ds_name", "kind"].map((name) => ({ name, ...text, ...required })),
  { name: "value", type: "DOUBLE", ...optional },
  { name: "counter", ...unsigned, ...optional },
  { name: "derive", type: "INT64", ...optional },
  { name: "absolute", ...unsigned, ...optional },
  { name: "meta", ...text, ...optional },
];

/** The columns, in order. */
export const columnNames = fields.map(({ name }) => name);

/**
 * The schema of Parquet files with these columns: one row for each value. `time` is in UTC, and exact as nanoseconds since
 * 1970 in `time_ns`. `value` is any value as a double; integers are exact beside it.
 */
export function parquetSchema(names: readonly string[]): SchemaElement[] {
  const chosen = fields.filter(({ name }) => names.includes(name));
  return [{ name: "readings", num_children: chosen.length }, ...chosen];
}

/** A value of a Parquet file. */
export type Cell = string | number | bigint | null;

const [minTime, maxTime] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Whether nanoseconds in 64 bits can hold the time of a reading, if it has one. */
export function canHoldTime({ time }: Fields): boolean {
  const nanoseconds = time.isSet ? nanosecondsOf(time) : 0n;
  return nanoseconds >= minTime && nanoseconds <= maxTime;
}

/** The microsecond that has begun at a time, also before 1970. */
function microseconds(nanoseconds: bigint): bigint {
  return (nanoseconds - (((nanoseconds % 1000n) + 1000n) % 1000n)) / 1000n;
}

/** The cells that all readings of a series share, and the names of its data sources. */
export interface SeriesCells {
  readonly identity: readonly string[];
  readonly interval: number | null;
  readonly names: readonly string[];
  readonly meta: string | null;
}

/** Creates a function that makes these cells. */
export function seriesCells(): (fields: Fields) => SeriesCells {
  const json = createJsonTail();
  return (fields) => {
    const series = seriesOf(fields);
    return {
      identity: identityParts.map((part) => displayText(partOf(series, part))),
      interval: series.interval === undefined ? null : intervalOf(series.interval),
      names: series.ds_names.map(displayText),
      meta: fields.metaCount === 0 ? null : json.metadata(fields),
    };
  };
}

/** The rows of a reading. A time that nanoseconds in 64 bits cannot hold is null. */
export function rowsOf(fields: Fields, { identity, interval, names, meta }: SeriesCells): Cell[][] {
  const exactTime = fields.time.isSet && canHoldTime(fields) ? nanosecondsOf(fields.time) : null;
  const time = exactTime === null ? null : microseconds(exactTime);
  const sample = emptySample();
  return Array.from({ length: fields.count }, (_, index) => {
    takeValue(fields, index, sample);
    const name = kindNames[sample.kind] ?? "";
    const exact = exactValue(sample);
    const integers = ["counter", "derive", "absolute"].map((one) => (one === name ? exact : null));
    const number = sample.kind === 0 ? null : nearestDouble(sample);
    return [time, exactTime, interval, ...identity, names[index] ?? "", name, number, ...integers, meta];
  });
}
