import type { SchemaElement } from "hyparquet";
import { metadataJson } from "../formats/json.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts, partOf } from "../reading/identity.ts";
import { intervalOf, nanosecondsOf } from "../reading/moments.ts";
import { integerOf, kindOf } from "../reading/values.ts";
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
export function canHoldTime({ time }: Reading): boolean {
  const nanoseconds = time === undefined ? 0n : nanosecondsOf(time);
  return nanoseconds >= minTime && nanoseconds <= maxTime;
}

/** The microsecond that has begun at a time, also before 1970. */
function microseconds(nanoseconds: bigint): bigint {
  return (nanoseconds - (((nanoseconds % 1000n) + 1000n) % 1000n)) / 1000n;
}

/** The rows of a reading. A time that nanoseconds in 64 bits cannot hold is null. */
export function rowsOf(reading: Reading): Cell[][] {
  const exactTime = reading.time === undefined || !canHoldTime(reading) ? null : nanosecondsOf(reading.time);
  const time = exactTime === null ? null : microseconds(exactTime);
  const interval = reading.interval === undefined ? null : intervalOf(reading);
  const identity = identityParts.map((part) => displayText(partOf(reading, part)));
  const meta = reading.meta_data.size === 0 ? null : metadataJson(reading.meta_data);
  return reading.values.map((value, index) => {
    const kind = kindOf(value);
    const integer = integerOf(value);
    const exact = (name: string) => (kind === name && integer !== undefined ? BigInt(integer) : null);
    const number = value.value?.$case === "gauge" ? value.value.gauge : integer === undefined ? null : Number(integer);
    const source = displayText(reading.ds_names[index] ?? "");
    const integers = [exact("counter"), exact("derive"), exact("absolute")];
    return [time, exactTime, interval, ...identity, source, kind, number, ...integers, meta];
  });
}
