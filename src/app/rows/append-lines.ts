import { closeSync, fsyncSync } from "node:fs";
import { diskFailure } from "../../failure/disk.ts";
import { writeAll } from "../../system/files.ts";

/** Appends lines to a file. All lines of one turn of the event loop are written at once. */
export interface LineWriter {
  /** Resolves when the line is in the file, where it survives if the process is killed. */
  add(line: string): Promise<void>;
  /** Writes pending lines and closes the file. Lines added later are dropped. */
  close(): void;
}

/** Appends lines to an open file. Stops after a failed write, which may have left an incomplete line. */
export function lineWriter(file: number, path: string): LineWriter {
  let pending: string[] = [];
  let flushed: Promise<void> | undefined;
  let failed: unknown;
  let closed = false;

  function write(): void {
    const text = pending.join("");
    [pending, flushed] = [[], undefined];
    if (failed !== undefined) throw failed;
    if (text === "" || closed) return;
    try {
      writeText(file, text, path);
    } catch (error) {
      failed = error;
      throw error;
    }
  }

  return {
    add(line) {
      pending.push(line);
      if (flushed === undefined) {
        flushed = new Promise((resolve) => setImmediate(resolve)).then(write);
        // The caller handles the rejection, unless the command has already ended.
        flushed.catch(() => undefined);
      }
      return flushed;
    },
    close() {
      try {
        // A failed write was already reported to the caller that added the line.
        if (failed === undefined) write();
      } finally {
        closed = true;
        if (failed === undefined) fsyncSync(file);
        closeSync(file);
      }
    },
  };
}

/** Writes text to an open file. Throws a `Failure` with the path if the disk is full or cannot be written. */
export function writeText(file: number, text: string, path: string): void {
  try {
    writeAll(file, Buffer.from(text));
  } catch (error) {
    const hint = "Free up some space, then run the same command with --resume.";
    throw diskFailure(error, path, { hint }) ?? error;
  }
}
