import { closeSync, fsyncSync } from "node:fs";
import { diskFailure } from "../../../failure/disk.ts";
import { writeAll } from "../../../system/files.ts";

/** Lines that go into a file together: all that one turn of the event loop brings are one write. */
export interface Lines {
  /** Fulfilled when the line is in the file; it is then not lost even if the process is killed. */
  add(line: string): Promise<void>;
  /** Writes what is waiting. Lines that come later are dropped. */
  close(): void;
}

/** Gathers lines for an open file. After a write that fails nothing more is written: its last line may be cut. */
export function gatherLines(file: number, path: string): Lines {
  let waiting: string[] = [];
  let flushed: Promise<void> | undefined;
  let failed: unknown;
  let closed = false;

  function write(): void {
    const text = waiting.join("");
    [waiting, flushed] = [[], undefined];
    if (failed !== undefined) throw failed;
    if (text === "" || closed) return;
    try {
      writeWhole(file, text, path);
    } catch (error) {
      failed = error;
      throw error;
    }
  }

  return {
    add(line) {
      waiting.push(line);
      if (flushed === undefined) {
        flushed = new Promise((resolve) => setImmediate(resolve)).then(write);
        // Whoever added a line hears of it, unless all has ended before.
        flushed.catch(() => undefined);
      }
      return flushed;
    },
    close() {
      try {
        // Whoever added the line that could not be written has heard of it.
        if (failed === undefined) write();
      } finally {
        closed = true;
        if (failed === undefined) fsyncSync(file);
        closeSync(file);
      }
    },
  };
}

/** Writes all of a text to a file of the import. Throws a failure in words. */
export function writeWhole(file: number, text: string, path: string): void {
  try {
    writeAll(file, Buffer.from(text));
  } catch (error) {
    throw diskFailure(error, path, "When there is room, go on with --resume.") ?? error;
  }
}
