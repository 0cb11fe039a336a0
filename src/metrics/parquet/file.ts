import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type Cell, columnNames, parquetSchema } from "./rows.ts";

/** A Parquet file that is being written. It has a scratch name until it is complete. */
export interface ParquetFile {
  readonly add: (row: readonly Cell[]) => void;
  /** The number of rows in memory. */
  readonly held: () => number;
  /** Writes the rows in memory as a row group. */
  readonly flush: () => void;
  /** Completes the file under its scratch name, and returns that name. */
  readonly finish: () => string;
  /** Completes the file and gives it its name. */
  readonly publish: () => void;
  /** Removes the file. */
  readonly discard: () => void;
}

/** Rows of a row group. Readers skip whole row groups, so that larger ones are read faster. */
export const rowGroupSize = 65_536;

// Not .parquet, so that no reader takes an incomplete file for a whole one.
const scratchEnd = ".partial";

/** Starts a Parquet file. Throws file system errors. */
export function createParquetFile(path: string): ParquetFile {
  const scratch = join(dirname(path), `${scratchStart(path)}${randomBytes(8).toString("hex")}${scratchEnd}`);
  closeSync(openSync(scratch, "wx"));
  const bytes = Object.assign(new ByteWriter(), { flush: append, finish: append });
  const writer = new ParquetWriter({ writer: bytes, schema: parquetSchema, createdBy: "tongs" });
  let columns = columnNames.map((): Cell[] => []);
  let finished = false;

  /** Opened for each row group, because a partitioned output has more files than a process may open. */
  function append(): void {
    const fd = openSync(scratch, "a");
    try {
      const content = bytes.getBytes();
      for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
      if (finished) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    bytes.index = 0;
  }

  function flush(): void {
    const rows = columns[0]?.length ?? 0;
    if (rows === 0) return;
    const columnData = columnNames.map((name, index) => {
      const data = columns[index] ?? [];
      return { name, data, offsetIndex: false, ...(data.some(isMinusZero) && { encoding: "PLAIN" as const }) };
    });
    void writer.write({ columnData, rowGroupSize: rows });
    columns = columnNames.map((): Cell[] => []);
  }

  function finish(): string {
    flush();
    finished = true;
    void writer.finish();
    return scratch;
  }

  return {
    add: (row) => {
      row.forEach((cell, index) => {
        columns[index]?.push(cell);
      });
      if ((columns[0]?.length ?? 0) >= rowGroupSize) flush();
    },
    held: () => columns[0]?.length ?? 0,
    flush,
    finish,
    publish: () => renameSync(finish(), path),
    discard: () => rmSync(scratch, { force: true }),
  };
}

/** Removes what killed processes left of a Parquet file. */
export function removeScratch(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(scratchStart(path)) && name.endsWith(scratchEnd)) rmSync(join(dirname(path), name));
  }
}

function scratchStart(path: string): string {
  return `.${basename(path)}.`;
}

/** The dictionary of hyparquet-writer does not tell it from 0. */
function isMinusZero(cell: Cell): boolean {
  return Object.is(cell, -0);
}
