import { closeSync, lstatSync, openSync, rmSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import { diskFailure } from "../../../failure/disk.ts";
import { importFields } from "./fields.ts";
import { writeWhole } from "./lines.ts";
import type { ImportFormat, Row } from "./rows.ts";

/** The rows that failed, in the form they came in, so that the file can be imported again. Made with the first one. */
export interface Rejects {
  readonly path: string;
  readonly count: () => number;
  add(row: Row): void;
  close(): void;
}

/** Opens the file of failed rows. It may hold passwords, so it is 0600. One of the interrupted import is outdated. */
export function openRejects(path: string, format: ImportFormat, resumed: boolean): Rejects {
  let file: number | undefined;
  let count = 0;
  return {
    path,
    count: () => count,
    add(row) {
      count += 1;
      const isFirst = file === undefined;
      file ??= openNew(path);
      writeWhole(file, format === "jsonl" ? `${JSON.stringify(row.fields)}\n` : csv(row, isFirst), path);
    },
    close() {
      if (file !== undefined) closeSync(file);
      else if (resumed) rmSync(path, { force: true });
    },
  };
}

/**
 * A new file in the place of an older one: who had that open, or could read it, does not read this one. What is no file
 * stays.
 */
function openNew(path: string): number {
  try {
    const older = lstatSync(path, { throwIfNoEntry: false });
    if (older?.isFile() || older?.isSymbolicLink()) rmSync(path);
    return openSync(path, "wx", 0o600);
  } catch (error) {
    throw diskFailure(error, path) ?? error;
  }
}

function csv(row: Row, isFirst: boolean): string {
  const columns = Object.keys(importFields);
  return stringify([...(isFirst ? [columns] : []), columns.map((name) => String(row.fields[name] ?? ""))]);
}
