import { accessSync, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { diskFailure } from "../../failure/disk.ts";
import { readBeside } from "../../system/open-beside.ts";
import type { Named } from "../reading/identity.ts";
import { nearestSeconds } from "../reading/moments.ts";
import type { PartTest, TimeRange } from "../reading/select.ts";
import { replaceBeside } from "../scratch.ts";
import type { StreamFault } from "../stream/messages.ts";
import { readMessages } from "../stream/read-messages.ts";
import { fileSource, type Source } from "../stream/source.ts";
import { lengthSize } from "../wire/write-fields.ts";
import { type IndexBlock, indexHead, indexPath, isThere, type LoadedIndex, readIndex } from "./format.ts";
import { createIndexer } from "./indexer.ts";

/** What readings are wanted. */
export interface Wanted {
  readonly timeRange: TimeRange;
  readonly filter?: ((series: Named) => boolean) | undefined;
  /** Of what `filter` selects. */
  readonly mayBe?: PartTest | undefined;
}

/** A part of a recording, and the number of messages before it and in it. */
export type Range = Pick<IndexBlock, "from" | "to" | "messages" | "count">;

// A smaller recording is read in less time than an index of it takes to make.
const leastSize = 16 * 1024 * 1024;

/**
 * The parts of an open recording that may have wanted readings, by the index beside it, which is made again if it is missing
 * or does not fit. What was recorded after the index is always a part. Undefined if everything is to be read: the recording is
 * small or damaged, or it has no index and none can be written.
 */
export async function wantedRanges(
  { fd, path }: { readonly fd: number; readonly path: string },
  { timeRange, filter }: Wanted,
  { mayWrite, checkAborted }: { readonly mayWrite: boolean; readonly checkAborted: () => void },
): Promise<Range[] | undefined> {
  const [since, until] = [timeRange.since, timeRange.until].map((time) => time && nearestSeconds(time));
  const { size } = fstatSync(fd);
  const isTimed = timeRange.since !== undefined || timeRange.until !== undefined;
  if (size < leastSize) return undefined;
  const index = fitting(fd, path, size) ?? (mayWrite ? await remade(path, checkAborted) : undefined);
  if (index === undefined) return undefined;
  // Doubles are not exact to a nanosecond: a block that begins at the end may have a reading before it.
  const isInTime = (block: IndexBlock) =>
    !isTimed || (block.until >= (since ?? -Infinity) && block.since <= (until ?? Infinity));
  const found = filter === undefined ? index.blocks.filter(isInTime) : index.having(isInTime, filter);
  if (found?.every((block) => isThere(fd, block)) !== true) return undefined;
  const last = index.blocks.at(-1);
  const rest = last === undefined ? 0 : last.to;
  const tail = { from: rest, to: size, messages: last === undefined ? 0 : last.messages + last.count, count: 0 };
  return rest < size ? [...found, tail] : [...found];
}

/** The index beside the recording, unless it is of another recording or ends far before the end. */
function fitting(fd: number, path: string, size: number): LoadedIndex | undefined {
  const index = loadIndex(path);
  const [first, last] = [index?.blocks[0], index?.blocks.at(-1)];
  if (first === undefined || last === undefined || last.to > size || size - last.to > leastSize) return undefined;
  return isThere(fd, first) && isThere(fd, last) ? index : undefined;
}

/** The index beside a recording; undefined without one that can be read. */
export function loadIndex(path: string): LoadedIndex | undefined {
  try {
    return readIndex(readBeside(indexPath(path)));
  } catch {
    return undefined;
  }
}

/** Makes an index of a recording of which no byte is damaged, and writes it beside it. */
async function remade(path: string, checkAborted: () => void): Promise<LoadedIndex | undefined> {
  const recording = openSync(path, "r");
  try {
    accessSync(dirname(path), constants.W_OK);
    const parts: Uint8Array[] = [indexHead];
    const indexer = createIndexer((record) => void parts.push(record));
    let at = 0;
    const { fault, stopped } = await readMessages(fileSource(recording), {
      framing: "delimited",
      handle: (bytes, view, start, end) => {
        const frame = start - lengthSize(end - start);
        const isAdded = indexer.add(bytes, view, { frame, start, end, at });
        at += end - frame;
        return isAdded;
      },
      checkAborted,
    });
    indexer.end();
    const bytes = Buffer.concat(parts);
    const index = readIndex(bytes);
    const last = index?.blocks.at(-1);
    // The last block is elsewhere if a length is padded.
    const isWhole = !stopped && (fault === undefined || fault.kind === "truncated");
    if (!isWhole || last === undefined || !isThere(recording, last)) return undefined;
    replaceBeside(indexPath(path), bytes);
    return index;
  } catch (error) {
    // It is only for speed.
    if (diskFailure(error) !== undefined) return undefined;
    throw error;
  } finally {
    closeSync(recording);
  }
}

/** Reads parts of a file one after the other. */
export function rangeSource(fd: number, ranges: readonly Range[]): Source {
  let [index, done] = [0, 0];
  return {
    read: (into, at, room) => {
      for (; index < ranges.length; index += 1, done = 0) {
        const { from = 0, to = 0 } = ranges[index] ?? {};
        const got = readSync(fd, into, at, Math.min(room, to - from - done), from + done);
        done += got;
        if (got > 0) return got;
      }
      return 0;
    },
  };
}

/** The place in the file of a fault in what `rangeSource` read. */
export function locatedFault(ranges: readonly Range[], fault: StreamFault): StreamFault {
  let [bytes, count] = [0, 0];
  const holder = ranges.find((range) => {
    if (fault.at < bytes + range.to - range.from) return true;
    bytes += range.to - range.from;
    count += range.count;
    return false;
  });
  if (holder === undefined) return fault;
  return { ...fault, at: holder.from + fault.at - bytes, message: holder.messages + fault.message - count };
}
