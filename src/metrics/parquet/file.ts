import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { followLinks, writeAll } from "../../system/files.ts";
import type { Fields } from "../decode/fields.ts";
import { fdSink } from "../outputs.ts";
import { scratchPath } from "../scratch.ts";
import { type Cell, columnNames, createRows, parquetSchema, type SeriesCells } from "./rows.ts";

/** A Parquet file that is being written. It has a scratch name until it is complete, unless it is a pipe or a device. */
export interface ParquetFile {
  /** Adds the rows of a reading. */
  readonly add: (fields: Fields, series: SeriesCells) => void;
  /** The number of rows in memory. */
  readonly held: () => number;
  /** Writes the rows in memory as a row group. */
  readonly flush: () => void;
  /** Completes the file, and returns the name that it has until it is published. */
  readonly finish: () => string;
  /** Completes the file and gives it its name. */
  readonly publish: () => void;
  /** Removes the file. */
  readonly discard: () => void;
}

/** Rows of a row group. Readers skip whole row groups, so that larger ones are read faster. */
export const rowGroupSize = 65_536;

/** Where the bytes of a Parquet file go. */
interface Target {
  readonly name: string;
  /** Adds bytes at the end; `isLast` if the file is complete with them. */
  readonly append: (content: Uint8Array, isLast: boolean) => void;
  readonly publish: () => void;
  readonly discard: () => void;
}

/**
 * Starts a Parquet file with all columns but those left out. A link is followed, and a pipe or a device is written to rather
 * than replaced. Throws file system errors, and `OutputClosed` if the reader of a pipe is gone.
 */
export function createParquetFile(named: string, leftOut: readonly string[] = []): ParquetFile {
  const path = followLinks(named);
  const isReplaced = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  const target = isReplaced ? scratchFile(path) : openTarget(path);
  const names = columnNames.filter((name) => !leftOut.includes(name));
  const bytes = Object.assign(new ByteWriter(), { flush: append, finish: append });
  const writer = new ParquetWriter({ writer: bytes, schema: parquetSchema(names), createdBy: "tongs" });
  let rows = createRows();
  let finished = false;

  function append(): void {
    target.append(bytes.getBytes(), finished);
    bytes.index = 0;
  }

  function flush(): void {
    const size = rows.size();
    if (size === 0) return;
    const columnData = names.map((name) => {
      const data = rows.column(name);
      const isPlain = name === "value" ? data.some(isMinusZero) : name.startsWith("time") && areDistinct(data);
      return { name, data, offsetIndex: false, ...(isPlain && { encoding: "PLAIN" as const }) };
    });
    void writer.write({ columnData, rowGroupSize: size });
    // Small row groups are those of many files, which together must not keep much memory.
    if (size < rowGroupSize) rows = createRows();
    else rows.clear();
  }

  function finish(): string {
    flush();
    finished = true;
    void writer.finish();
    return target.name;
  }

  return {
    add: (fields, series) => {
      rows.add(fields, series);
      if (rows.size() >= rowGroupSize) flush();
    },
    held: () => rows.size(),
    flush,
    finish,
    publish: () => {
      finish();
      target.publish();
    },
    discard: target.discard,
  };
}

/** A file beside `path` that replaces it when it is published. */
function scratchFile(path: string): Target {
  const scratch = scratchPath(path);
  closeSync(openSync(scratch, "wx"));

  /** Opened for each row group, because a partitioned output has more files than a process may open. */
  function append(content: Uint8Array, isLast: boolean): void {
    const fd = openSync(scratch, "a");
    try {
      writeAll(fd, content);
      if (isLast) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  return {
    name: scratch,
    append,
    publish: () => renameSync(scratch, path),
    discard: () => rmSync(scratch, { force: true }),
  };
}

/** A pipe or a device. */
function openTarget(path: string): Target {
  const fd = openSync(path, "w");
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  return { name: path, append: fdSink(fd).write, publish: close, discard: close };
}

/** Whether most of these times are different, so that hyparquet-writer would make a dictionary only to reject it. */
function areDistinct(times: readonly Cell[]): boolean {
  const sample = times.slice(0, 1000);
  return new Set(sample).size > sample.length / 2;
}

/** The dictionary of hyparquet-writer does not tell it from 0. */
function isMinusZero(cell: Cell): boolean {
  return Object.is(cell, -0);
}
