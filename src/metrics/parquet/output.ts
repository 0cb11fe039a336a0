import { randomBytes } from "node:crypto";
import { rmdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hasCode } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { createFolders } from "../../system/files.ts";
import { percentEncoded } from "../../text/percent.ts";
import type { Fields } from "../decode/fields.ts";
import type { Printer } from "../formats/printer.ts";
import { createParquetFile, type ParquetFile } from "./file.ts";
import { type SeriesCells, seriesCells } from "./rows.ts";

/** What folders are made for. */
export type Partition = "day" | "hour" | "host";

/** Writes readings to a Parquet file, or to one in each folder of a partitioned dataset. */
export interface ParquetOutput {
  readonly printer: Printer;
  /** Completes all files and gives them their names; returns their number. */
  readonly publish: () => number;
  /** Removes everything that is not published. */
  readonly discard: () => void;
}

// Rows of all files in memory.
const maxHeld = 262_144;

/**
 * Starts the output. Without partitions `path` is the file. With them it is a folder, in which each file has a new name
 * below `day=2026-01-31`, `hour=07` and `host=NAME`, as Hive names folders; an `hour` is within its `day`. Times are UTC.
 * What a folder says is not a column of its files: pandas and pyarrow refuse a column with two types.
 */
export function createParquetOutput(path: string, by: readonly Partition[]): ParquetOutput {
  const files = new Map<string, ParquetFile>();
  const cellsOf = seriesCells();
  // By entry.
  const cells: SeriesCells[] = [];
  const made: string[] = [];
  const run = randomBytes(4).toString("hex");
  let held = 0;

  function open(folder: string): ParquetFile {
    if (by.length === 0) return createParquetFile(path);
    const full = resolve(path, folder);
    const first = createFolders(full);
    for (let parent = full; first !== undefined && parent.length >= first.length; parent = dirname(parent))
      made.push(parent);
    return createParquetFile(join(full, `readings-${run}.parquet`), by);
  }

  function fileOf(fields: Fields, series: SeriesCells): ParquetFile {
    const folder = by.length === 0 ? "" : folderOf(fields, series, by);
    let file = files.get(folder);
    if (file === undefined) {
      file = open(folder);
      files.set(folder, file);
    }
    return file;
  }

  const print: Printer["print"] = (fields, _tails, entry) => {
    const series = cells[entry];
    if (fields.count === 0 || series === undefined) return;
    const file = fileOf(fields, series);
    const before = file.held();
    file.add(fields, series);
    held += file.held() - before;
    if (held <= maxHeld) return;
    // The fullest files first, so that row groups are as large as possible.
    for (const one of [...files.values()].sort((one, other) => other.held() - one.held())) {
      held -= one.held();
      one.flush();
      if (held <= maxHeld / 2) break;
    }
  };

  function publish(): number {
    // An empty file has a schema; an empty folder would not.
    if (by.length === 0 && files.size === 0) files.set("", open(""));
    let published = 0;
    for (const [folder, file] of files) {
      file.publish();
      files.delete(folder);
      published += 1;
    }
    return published;
  }

  function discard(): void {
    for (const file of files.values()) file.discard();
    for (const folder of made.sort((one, other) => other.length - one.length)) removeEmpty(folder);
  }

  const added = (entry: number, fields: Fields) => {
    cells[entry] = cellsOf(fields);
  };
  return { printer: { tail: () => ({ texts: [], tag: 0 }), added, print }, publish, discard };
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Others have put something there, or removed it.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}

const missing = "__HIVE_DEFAULT_PARTITION__";

function folderOf({ time }: Fields, { identity: [name = ""] }: SeriesCells, by: readonly Partition[]): string {
  const date = new Date((time.isSet ? time.seconds : Number.NaN) * 1000);
  const text = Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  const [day = missing, clock] = text?.split("T") ?? [];
  const timed = by.includes("day") || by.includes("hour") ? [`day=${day}`] : [];
  const hour = by.includes("hour") ? [`hour=${clock?.slice(0, 2) ?? missing}`] : [];
  const host = by.includes("host") ? [`host=${folderName(name)}`] : [];
  return join(...timed, ...hour, ...host);
}

/** A name as Hive escapes it in folders: everything that is special in a path is percent-encoded. */
function folderName(name: string): string {
  if (name === "") return missing;
  const escaped = percentEncoded(name).replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  if (escaped.length > 200) {
    throw new Failure("name_too_long", `The host name is too long for a directory: ${name.slice(0, 60)}…`);
  }
  return escaped;
}
