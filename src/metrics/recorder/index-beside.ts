import { closeSync, ftruncateSync, rmSync, writeSync } from "node:fs";
import { openBeside } from "../../system/open-beside.ts";
import { indexHead, indexPath, isThere } from "../index/format.ts";
import { createIndexer, type Place } from "../index/indexer.ts";
import { loadIndex } from "../index/ranges.ts";

/** Opens the index beside an open recording, or starts one when there is enough for it. */
export function openIndex(recording: number, path: string) {
  const found = loadIndex(path);
  const [first, last] = [found?.blocks[0], found?.blocks.at(-1)];
  const known = first && last && isThere(recording, first) && isThere(recording, last) ? found : undefined;
  const covered = known === undefined ? 0 : (last?.to ?? 0);
  let size = known?.size ?? 0;
  let fd: number | undefined;
  let ended = false;
  let failed = false;
  const indexer = createIndexer(write, known);

  function write(record: Uint8Array): void {
    // A recording of less than one block needs no index.
    failed ||= ended && size === 0;
    if (failed) return;
    try {
      if (fd === undefined && size === 0) rmSync(indexPath(path), { force: true });
      fd ??= openBeside(indexPath(path), size === 0 ? "wx" : "r+");
      const bytes = size === 0 ? Buffer.concat([indexHead, record]) : record;
      ftruncateSync(fd, size);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, size + at);
      size += bytes.length;
    } catch {
      failed = true;
    }
  }

  /** Writes what is in memory, if there is enough for an index. */
  function end(): void {
    ended = true;
    indexer.end();
  }

  return {
    /** Adds a reading; one that the index has is passed over. */
    add: (bytes: Uint8Array, view: DataView, place: Place) => {
      if (!failed && place.at >= covered) failed = !indexer.add(bytes, view, place);
    },
    /** Removes the index if it has more than the sound bytes of the recording. */
    keepTo: (sound: number) => {
      if (covered <= sound) return;
      failed = true;
      rmSync(indexPath(path), { force: true });
    },
    end,
    /** Does that, and closes the file. */
    close: () => {
      end();
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}
