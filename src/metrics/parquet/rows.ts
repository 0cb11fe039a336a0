import type { SchemaElement } from "hyparquet";
import { type Fields, kind, type Moment } from "../decode/fields.ts";
import { kindNames, seriesOf } from "../decode/series.ts";
import { createJsonTail } from "../formats/json-tail.ts";
import { identityParts, partOf } from "../reading/identity.ts";
import { intervalOf, maxNanos, nanosecondsOf } from "../reading/moments.ts";
import { emptySample, nearestDouble, type Sample, takeValue } from "../series/samples.ts";
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

const parts: readonly string[] = identityParts;
const types: readonly string[] = kindNames;

/** Rows in memory. */
export interface Rows {
  readonly size: () => number;
  /** Adds a row for each value of a reading. A time that nanoseconds in 64 bits cannot hold is null. */
  readonly add: (fields: Fields, series: SeriesCells) => void;
  /** The cells of a column, as many as there are rows. */
  readonly column: (name: string) => Cell[];
  /** Removes all rows, and keeps their memory for as many new ones. */
  readonly clear: () => void;
}

/** Creates empty columns. What the rows of a series share is in the series, and is copied when its column is asked for. */
export function createRows(): Rows {
  const serieses: SeriesCells[] = [];
  const indexes: number[] = [];
  const kinds: number[] = [];
  const times: (bigint | null)[] = [];
  const exactTimes: (bigint | null)[] = [];
  const values: (number | null)[] = [];
  const integers: bigint[] = [];
  const sample = emptySample();
  let size = 0;

  function add(fields: Fields, series: SeriesCells): void {
    const { count, time } = fields;
    const nanoseconds = time.isSet ? exactNanoseconds(time) : null;
    const isHeld = nanoseconds !== null && nanoseconds >= minTime && nanoseconds <= maxTime;
    const microseconds = isHeld ? microsecondsOf(time) : null;
    for (let index = 0; index < count; index += 1) {
      takeValue(fields, index, sample);
      serieses[size] = series;
      indexes[size] = index;
      kinds[size] = sample.kind;
      times[size] = microseconds;
      exactTimes[size] = isHeld ? nanoseconds : null;
      values[size] = sample.kind === 0 ? null : nearestDouble(sample);
      integers[size] =
        sample.kind === kind.gauge ? 0n : sample.kind === kind.derive ? signedOf(sample) : unsignedOf(sample);
      size += 1;
    }
  }

  function identityColumn(part: number): Cell[] {
    const cells: Cell[] = [];
    for (let row = 0; row < size; row += 1) cells.push(serieses[row]?.identity[part] ?? "");
    return cells;
  }

  function integerColumn(which: number): Cell[] {
    const cells: Cell[] = [];
    for (let row = 0; row < size; row += 1) cells.push(kinds[row] === which ? (integers[row] ?? null) : null);
    return cells;
  }

  function column(name: string): Cell[] {
    const part = parts.indexOf(name);
    if (part >= 0) return identityColumn(part);
    const ofSeries = serieses.slice(0, size);
    switch (name) {
      case "time":
        return times.slice(0, size);
      case "time_ns":
        return exactTimes.slice(0, size);
      case "value":
        return values.slice(0, size);
      case "interval":
        return ofSeries.map((series) => series.interval);
      case "ds_name":
        return ofSeries.map((series, row) => series.names[indexes[row] ?? 0] ?? "");
      case "kind":
        return kinds.slice(0, size).map((which) => kindNames[which] ?? "");
      case "meta":
        return ofSeries.map((series) => series.meta);
      default:
        return integerColumn(types.indexOf(name));
    }
  }

  const clear = () => {
    size = 0;
  };
  return { size: () => size, add, column, clear };
}

// BigInts made of halves: with operators, each step would make one.
const halves = new Int32Array(2);
const signedBits = new BigInt64Array(halves.buffer);
const unsignedBits = new BigUint64Array(halves.buffer);

function signedOf({ high, low }: Sample): bigint {
  halves[0] = low;
  halves[1] = high;
  return signedBits[0] ?? 0n;
}

function unsignedOf({ high, low }: Sample): bigint {
  halves[0] = low;
  halves[1] = high;
  return unsignedBits[0] ?? 0n;
}

// Nanoseconds of the years 1970 to 2242 are below 2^63.
const limit = 2 ** 33;

function exactNanoseconds(time: Moment): bigint {
  const { seconds, nanos } = time;
  if (seconds < 0 || seconds >= limit || nanos < 0 || nanos > maxNanos) return nanosecondsOf(time);
  // Each product stays below 2^53.
  const upper = Math.floor(seconds / 65_536) * 1e9;
  const lower = (upper % 65_536) * 65_536 + (seconds % 65_536) * 1e9 + nanos;
  halves[0] = lower >>> 0;
  halves[1] = Math.floor(upper / 65_536) + Math.floor(lower / 2 ** 32);
  return signedBits[0] ?? 0n;
}

/** The microsecond that has begun at a time, also before 1970. */
function microsecondsOf(time: Moment): bigint {
  const { seconds, nanos } = time;
  if (seconds >= 0 && seconds < limit && nanos >= 0) return BigInt(seconds * 1e6 + Math.floor(nanos / 1000));
  const nanoseconds = nanosecondsOf(time);
  return (nanoseconds - (((nanoseconds % 1000n) + 1000n) % 1000n)) / 1000n;
}

/** The rows of a reading. */
export function rowsOf(fields: Fields, series: SeriesCells): Cell[][] {
  const { add, column } = createRows();
  add(fields, series);
  const columns = columnNames.map(column);
  return Array.from({ length: fields.count }, (_, row) => columns.map((cells) => cells[row] ?? null));
}
