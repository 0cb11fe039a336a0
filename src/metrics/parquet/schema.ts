import type { SchemaElement } from "hyparquet";
import { identityParts } from "../reading/identity.ts";

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

/** The columns that all rows of a series share. */
export const seriesColumns: readonly string[] = [...identityParts, "ds_name", "kind", "interval", "meta"];

/** The columns that rows are sorted by. */
export const sortedBy: readonly string[] = [...identityParts, "ds_name", "time_ns"];

const elements: readonly SchemaElement[] = [
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
export const columnNames = elements.map(({ name }) => name);

/**
 * The columns of Parquet files without those left out: one row for each value. `time` is in UTC, and exact as nanoseconds
 * since 1970 in `time_ns`. `value` is any value as a double; integers are exact beside it.
 */
export function columnsWithout(leftOut: readonly string[]): readonly SchemaElement[] {
  return elements.filter(({ name }) => !leftOut.includes(name));
}

/** The columns of 64-bit numbers that differ in each row. */
export const numberColumns = columnNames.filter((name) => !seriesColumns.includes(name));

/** The key of the file's metadata with the names of the values of readings, in their order: JSON, a list of lists. */
export const namesKey = "ds_names";
