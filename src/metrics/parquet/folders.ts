import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { noBucket } from "./times.ts";

/** What folders are made for. */
export const partitions = ["day", "hour", "host"] as const;
export type Partition = (typeof partitions)[number];

/** How Hive names the folder of null. */
const missing = "__HIVE_DEFAULT_PARTITION__";

/** The folder of a bucket of time and a host, as Hive names it; an `hour` is within its `day`. Times are UTC. */
export function folderOf(bucket: number, host: string, by: readonly Partition[]): string {
  const span = timeSpan(by);
  const milliseconds = bucket * (span === "hour" ? 3_600_000 : 86_400_000);
  const [day = "", clock = ""] =
    bucket === noBucket || span === undefined ? [missing, missing] : new Date(milliseconds).toISOString().split("T");
  return [
    ...(span === undefined ? [] : [`day=${day}`]),
    ...(span === "hour" ? [`hour=${bucket === noBucket ? missing : clock.slice(0, 2)}`] : []),
    ...(by.includes("host") ? [`host=${hostName(host)}`] : []),
  ].join(sep);
}

/** What the folders of a dataset are made for, from the outside in, such as `day,host`. */
export function layoutOf(by: readonly Partition[]): string {
  return folderOf(0, "", by).split(sep).map(keyOf).join(",");
}

/** The same of the dataset that is in a folder, by its first file; undefined if there is none. */
export function layoutIn(folder: string): string | undefined {
  return keysIn(folder)?.join(",") || undefined;
}

function keysIn(folder: string): readonly string[] | undefined {
  const there = readdirSync(folder, { withFileTypes: true });
  for (const one of there) {
    if (!one.isDirectory() || !isPartition(one.name)) continue;
    const below = keysIn(join(folder, one.name));
    if (below !== undefined) return [keyOf(one.name), ...below];
  }
  return there.some((one) => one.isFile()) ? [] : undefined;
}

/** A Parquet file, and the host that its directories name. */
export interface DatasetFile {
  readonly path: string;
  readonly host: string;
}

/**
 * The Parquet files in a directory and in those of a dataset in it for which `keep` returns true, in the order of their names.
 * `keep` gets what a directory is for, its value, and the day that it is in.
 */
export function* filesIn(
  folder: string,
  keep: (key: string, value: string, day: string) => boolean,
  above = { host: "", day: "" },
): Generator<DatasetFile> {
  const names = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const one of names) {
    const path = join(folder, one.name);
    const key = keyOf(one.name);
    if (one.isDirectory() && isPartition(one.name)) {
      const given = one.name.slice(key.length + 1);
      const value =
        given === missing ? "" : given.replace(/%([0-9A-F]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
      if (keep(key, value, above.day)) yield* filesIn(path, keep, { ...above, [key]: value });
    } else if (!one.isDirectory() && /^[^.].*\.parquet$/.test(one.name)) yield { path, host: above.host };
  }
}

/** Whether a name is that of a directory of a dataset. */
export function isPartition(name: string): boolean {
  return partitions.some((key) => key === keyOf(name));
}

function keyOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf("=")));
}

/** The span of time that folders are made for. */
export function timeSpan(by: readonly Partition[]): "day" | "hour" | undefined {
  return by.includes("hour") ? "hour" : by.includes("day") ? "day" : undefined;
}

/** What Hive and Spark escape, and what Windows has no names with. Spark cannot decode other characters. */
const special = /[^ -~\u0080-\u{10ffff}]|["#%'*/:<=>?[\\\]^{|}]/gu;

// File systems take 255.
const maxBytes = 200;

/**
 * A host as Hive escapes it in folders. What readers take for null is escaped, too. No folder can say that a host is empty:
 * all readers take it for null. A name that is too long is cut, and ends in its hash.
 */
function hostName(name: string): string {
  if (name === "") return missing;
  const escaped = name.replace(special, hex);
  if (Buffer.byteLength(escaped) > maxBytes) {
    const hash = `-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
    const cut = Buffer.from(escaped)
      .subarray(0, maxBytes - hash.length)
      .toString();
    // Without the part of a character or of an escape that the cut left.
    return cut.replace(/\ufffd+$|%.?$/, "") + hash;
  }
  return name === missing || /^null$/i.test(name) ? escaped.replace(/^./, hex) : escaped;
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
