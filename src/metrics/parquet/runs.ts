import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeAll } from "../../system/files.ts";
import { scratchPath } from "../scratch.ts";
import { rowWords } from "./sort-rows.ts";

// Rows of all buffers together, and of one.
const allRows = 2 ** 19;
const usualRows = 8192;

/** Runs of sorted rows in a scratch file. */
export type Runs = ReturnType<typeof openRuns>;

/** Opens an empty scratch file in a folder. */
export function openRuns(folder: string) {
  const path = scratchPath(join(folder, "rows"));
  const fd = openSync(path, "wx+");
  const starts: number[] = [];
  let end = 0;
  let isOpen = true;

  /** A reader of each run. `read` replaces the rows in its buffer and returns the number of their words, 0 at the end. */
  function readers() {
    const size = Math.max(1, Math.min(usualRows, Math.floor(allRows / starts.length))) * rowWords;
    return starts.map((start, run) => {
      const buffer = new Int32Array(size);
      const runEnd = starts[run + 1] ?? end;
      let at = start;
      const read = () => {
        const bytes = new Uint8Array(buffer.buffer, 0, Math.min(buffer.byteLength, runEnd - at));
        for (let have = 0; have < bytes.length; ) {
          const got = readSync(fd, bytes, have, bytes.length - have, at + have);
          if (got === 0) throw new Error(`${path} was changed`);
          have += got;
        }
        at += bytes.length;
        return bytes.length / buffer.BYTES_PER_ELEMENT;
      };
      return { buffer, read };
    });
  }

  return {
    /** Starts a run. */
    start: () => void starts.push(end),
    /** Adds rows to it. */
    append: (rows: Int32Array) => {
      writeAll(fd, new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
      end += rows.byteLength;
    },
    readers,
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
      rmSync(path, { force: true });
    },
  };
}
