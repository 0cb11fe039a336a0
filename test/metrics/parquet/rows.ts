import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { decompressors } from "../../../src/metrics/parquet/compression.ts";
import { doubleText } from "../../../src/metrics/reading/values.ts";

export type Row = Readonly<Record<string, unknown>>;

/** The metadata of a Parquet file. */
export async function parquetMetadata(path: string): Promise<FileMetaData> {
  return parquetMetadataAsync(await asyncBufferFromFile(path));
}

/** The rows of a Parquet file, in order. Times are microseconds. */
export async function parquetRows(path: string): Promise<Row[]> {
  const file = await asyncBufferFromFile(path);
  const parsers = { timestampFromMicroseconds: (microseconds: bigint) => microseconds };
  return parquetReadObjects({ file, parsers, compressors: decompressors });
}

interface JsonReading {
  readonly values: readonly Record<string, string | number>[];
  readonly time: string;
  readonly interval: string;
  readonly identifier: Readonly<Record<string, string>>;
  readonly ds_names: readonly string[];
  readonly meta_data?: unknown;
}

/** The rows that a reading should become, by the JSON that libprotobuf makes of it. */
export function jsonRows(line: string): Row[] {
  const { values, time, interval, identifier, ds_names, meta_data } = JSON.parse(line) as JsonReading;
  const [, seconds = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(time) ?? [];
  const exact = BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
  return values.map((value, index) => {
    const [kind = "", text = ""] = Object.entries(value)[0] ?? [];
    const { host, plugin, plugin_instance = "", type, type_instance = "" } = identifier;
    return {
      time: (exact - (((exact % 1000n) + 1000n) % 1000n)) / 1000n,
      time_ns: exact,
      interval: Math.max(0, Number.parseFloat(interval)),
      host,
      plugin,
      plugin_instance,
      type,
      type_instance,
      ds_name: ds_names[index] ?? "",
      kind,
      value: Number(text),
      counter: null,
      derive: null,
      absolute: null,
      ...(kind === "gauge" ? {} : { [kind]: BigInt(text) }),
      meta: meta_data === undefined ? null : JSON.stringify(meta_data),
    };
  });
}

/** A row as text, with all digits. */
export function rowText(row: Row): string {
  return JSON.stringify(row, (_name, cell) =>
    typeof cell === "bigint" ? String(cell) : typeof cell === "number" ? doubleText(cell) : cell,
  );
}
