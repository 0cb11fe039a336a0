import { closeSync, ftruncateSync, rmSync, writeSync } from "node:fs";
import { openBeside } from "../../system/open-beside.ts";
import { indexHead, indexPath, isThere } from "../index/format.ts";
import { createIndexer, type Place } from "../index/indexer.ts";
import { loadIndex } from "../index/ranges.ts";

/** The index of a recording that is being recorded. It is only for speed: what cannot be written is left out. */
export interface RecordingIndex {
  /** Adds a reading; one that the index has is passed over. */
  readonly add: (bytes: Uint8Array, view: DataView, place: Place) => void;
  /** Removes the index if it has more than the sound bytes of the recording. */
  readonly keepTo: (sound: number) => void;
  /** Writes what is in memory, if there is enough for an index. */
  readonly end: () => void;
  /** Does that, and closes the file. */
  readonly close: () => void;
}

/** Opens the index beside an open recording, or starts one when there is enough for it. */
export function openIndex(recording: number, path: string): RecordingIndex {
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

  function end(): void {
    ended = true;
    indexer.end();
  }

  return {
    add: (bytes, view, place) => {
      if (!failed && place.at >= covered) failed = !indexer.add(bytes, view, place);
    },
    keepTo: (sound) => {
      if (covered <= sound) return;
      failed = true;
      rmSync(indexPath(path), { force: true });
    },
    end,
    close: () => {
      end();
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}
