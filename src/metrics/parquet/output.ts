import { randomBytes } from "node:crypto";
import { rmdirSync, rmSync, statSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { hasCode } from "../../failure/disk.ts";
import { tempFolder } from "../../system/base-folders.ts";
import { createFolders, followLinks } from "../../system/files.ts";
import { requireNanoseconds } from "../formats/check-time.ts";
import type { Printer } from "../formats/printer.ts";
import { createParquetFile, type ParquetFile } from "./file.ts";
import { folderOf, type Partition, timeSpan } from "./folders.ts";
import { createBuffers } from "./row-group.ts";
import { columnsWithout } from "./schema.ts";
import { createSection } from "./section.ts";
import { rowWords } from "./sort-rows.ts";

/** Rows of a row group: readers work on several of these at a time. */
const groupRows = 131_072;

// A thousand files are soon on the disk, and an interruption waits for no more.
const syncedTogether = 1000;

/**
 * Starts the output. Without partitions `path` is the file. With them it is a folder, in which each file has a new name
 * below `day=2026-01-31`, `hour=07` and `host=NAME`. Rows are sorted by host, series and time. What a folder says is not a
 * column of its files: pandas and pyarrow refuse a column with two types.
 */
export function createParquetOutput(path: string, by: readonly Partition[]) {
  const elements = columnsWithout(by);
  const run = randomBytes(4).toString("hex");
  const made: string[] = [];
  // Without what a file was written with.
  const files: Pick<ParquetFile, "publish" | "discard">[] = [];
  const scratch: string[] = [];
  const published: string[] = [];
  const names = new Set<string>();
  let unsynced: string[] = [];
  let isComplete = false;
  const rows = new Int32Array(groupRows * rowWords);
  const buffers = createBuffers(groupRows);
  let count = 0;
  let current: { readonly folder: string; readonly file: ParquetFile } | undefined;
  let isStarted = false;
  let sections = 0;
  let section = newSection();

  function newSection() {
    sections += 1;
    return createSection(timeSpan(by), scratchFolder, names);
  }

  function makeFolder(folder: string): string {
    const full = resolve(folder);
    const first = createFolders(full);
    for (let parent = full; first !== undefined && parent.length >= first.length; parent = dirname(parent))
      made.push(parent);
    return full;
  }

  function open(folder: string): void {
    if (current?.folder === folder) return;
    close();
    const name = `part-${run}-${sections}.parquet`;
    const isAlone = by.length === 0;
    const target = isAlone ? path : join(makeFolder(join(path, folder)), name);
    const file = createParquetFile(target, elements, isAlone);
    const publish = () => {
      file.publish();
      // Its name is new.
      if (!isAlone) published.push(target);
    };
    files.push({ publish, discard: file.discard });
    current = { folder, file };
  }

  function close(): void {
    if (current === undefined) return;
    flush();
    const written = current.file.finish(names);
    scratch.push(written);
    if (by.length > 0) unsynced.push(written);
    current = undefined;
  }

  function flush(): void {
    const { table } = section;
    if (count > 0) current?.file.add({ rows, count, table, order: section.order(), buffers });
    count = 0;
  }

  /** Writes the rows of the section, with a pause after each file and row group. */
  function* writeSection(): Generator<void> {
    const { table, sorted } = section;
    let [bucket, host] = [Number.NaN, -1];
    for (const batch of sorted()) {
      for (let row = batch.start; row < batch.end; row += 1) {
        const at = row * rowWords;
        const series = batch.rows[at] ?? 0;
        if (bucket !== table.bucketOf(series) || host !== table.cellOf(series, 0)) {
          bucket = table.bucketOf(series);
          host = table.cellOf(series, 0);
          if (current !== undefined) yield;
          open(folderOf(bucket, String(table.cell(0, host)), by));
        }
        for (let word = 0; word < rowWords; word += 1) rows[count * rowWords + word] = batch.rows[at + word] ?? 0;
        count += 1;
        if (count < groupRows) continue;
        flush();
        yield;
      }
    }
    if (by.length > 0) close();
    else flush();
    section.close();
  }

  /** Where rows go that memory does not hold: beside a file, unless it is a pipe or a device. */
  function scratchFolder(): string {
    if (by.length > 0) return makeFolder(path);
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
    return isFile ? dirname(followLinks(path)) : tempFolder();
  }

  const print: Printer["print"] = (fields, _tails, entry) => {
    // What cannot be written is known before everything is read.
    if (!isStarted) by.length === 0 ? open("") : makeFolder(path);
    isStarted = true;
    section.add(fields, entry);
    // At the end, all spans come at once.
    if (!section.isFull(2)) return;
    for (const _pause of writeSection());
    section = newSection();
  };

  async function pause(checkAborted: () => void): Promise<void> {
    await setImmediate();
    checkAborted();
  }

  async function writeWhole(checkAborted: () => void): Promise<void> {
    for (const _pause of writeSection()) {
      if (unsynced.length >= syncedTogether) await sync();
      await pause(checkAborted);
    }
  }

  async function sync(): Promise<void> {
    const paths = unsynced;
    unsynced = [];
    await syncFiles(paths);
  }

  /** Writes what should not stay in memory. Call it between parts of the input. */
  async function relieve(checkAborted: () => void): Promise<void> {
    await writeWhole(checkAborted);
    section = newSection();
  }

  /** Completes all files, and returns the names that they have until they are published. */
  async function finish(checkAborted: () => void): Promise<readonly string[]> {
    await writeWhole(checkAborted);
    // An empty file has a schema; an empty folder would not.
    if (by.length === 0) open("");
    close();
    await sync();
    return scratch;
  }

  /** Gives the files their names. If it throws, or `checkAborted` does, `discard` removes them all. */
  async function publish(checkAborted: () => void): Promise<void> {
    for (const [index, file] of files.entries()) {
      if (index % syncedTogether === 0) await pause(checkAborted);
      file.publish();
    }
    isComplete = files.length > 0;
  }

  /** Removes everything that is not published. */
  function discard(): void {
    section.close();
    if (isComplete) return;
    for (const file of published) rmSync(file, { force: true });
    for (const file of files) file.discard();
    for (const folder of made.sort((one, other) => other.length - one.length)) removeEmpty(folder);
  }

  const added = (entry: number) => section.forget(entry);
  const printer: Printer = { added, checkTime: requireNanoseconds, print };
  const pauseIfFull = (checkAborted: () => void) => (section.isFull(1) ? relieve(checkAborted) : undefined);
  return { printer, relieve: pauseIfFull, finish, publish, discard };
}

/** Waits until files are on the disk. Several at a time take a fifth of the time. */
async function syncFiles(paths: readonly string[]): Promise<void> {
  const rest = paths.values();
  const syncSome = async () => {
    for (const path of rest) {
      const file = await openFile(path, "r+");
      await file.sync().finally(() => file.close());
    }
  };
  await Promise.all(Array.from({ length: 8 }, syncSome));
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Others have put something there, or removed it.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}
