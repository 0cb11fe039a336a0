import { Unrepresentable } from "../formats/putval.ts";
import type { Reading } from "../reading/codec.ts";
import type { TimeRange } from "../reading/select.ts";
import type { Block } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import { createScan, type Scan, scanReading } from "./scan.ts";
import { createTailCache, type Tail, type TailCache } from "./tail-cache.ts";

/**
 * The fast way of one format. It gets values and time scanned, and what follows them in a reading as a tail that it has
 * seen before; it must write exactly the bytes that the generic way of the same format writes.
 */
export interface Printer {
  /** What this format makes of a tail that has not been met, decoded: a reading without values and time. */
  readonly tail: (reading: Reading) => Tail;
  /** Told under which entry the cache keeps that tail from now on; what was kept there before is gone. */
  readonly onCached?: (entry: number, reading: Reading) => void;
  /** The same straight from the bytes, for tails of the common form; undefined leaves it to `tail`. */
  readonly rawTail?: (view: DataView, start: number, end: number) => Tail | undefined;
  /** The most bytes that `print` writes. */
  readonly room: (scan: Scan, cache: TailCache, entry: number) => number;
  /** Writes one reading and returns the index behind it; -1 when the generic way has to. */
  readonly print: (scan: Scan, cache: TailCache, entry: number, view: DataView, at: number) => number;
}

/** What the fast way is told. */
export interface TranscoderOptions {
  readonly printer: Printer;
  /** Decodes a tail the generic way; throws for bytes that are no valid message. */
  readonly decode: (bytes: Uint8Array, start: number, end: number) => Reading;
  /** Whether readings with this identifier are wanted. */
  readonly filter?: ((reading: Reading) => boolean) | undefined;
  readonly timeRange?: TimeRange | undefined;
}

/** The fast way could not: the generic way has to judge this message. */
export const useGeneric = -1;
/** The output block lacks room: flush it and ask again. */
export const outputFull = -2;

const filteredOut = -1;

/**
 * Wire bytes to output bytes without an object between. Returns the index behind what was written, which is `at` itself
 * when the reading is filtered out; or `useGeneric`, or `full`. The input must reach 16 bytes beyond `end`.
 */
export type Transcoder = (
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  out: Block,
  at: number,
) => number;

/** A transcoder with an empty cache. */
export function createTranscoder({ printer, decode, filter, timeRange }: TranscoderOptions): Transcoder {
  const scan = createScan();
  const cache = createTailCache();
  const since = timeRange?.since ?? Number.NEGATIVE_INFINITY;
  const until = timeRange?.until ?? Number.POSITIVE_INFINITY;
  const timed = timeRange?.since !== undefined || timeRange?.until !== undefined;

  function addTail(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const quick = filter === undefined ? printer.rawTail?.(view, start, end) : undefined;
    if (quick !== undefined) return cache.add(bytes, start, end, quick);
    try {
      const reading = decode(bytes, start, end);
      if (reading.values.length > 0 || reading.time !== undefined) return -1;
      const wanted = filter === undefined || filter(reading);
      const entry = cache.add(bytes, start, end, wanted ? printer.tail(reading) : { texts: [], tag: filteredOut });
      if (entry >= 0) printer.onCached?.(entry, reading);
      return entry;
    } catch (error) {
      // The generic way says what is wrong, and where in the message.
      if (error instanceof WireFault || error instanceof Unrepresentable) return -1;
      throw error;
    }
  }

  return (bytes, view, start, end, out, at) => {
    const tail = scanReading(view, start, end, scan);
    if (tail < 0) return useGeneric;
    let entry = cache.find(view, tail, end);
    if (entry < 0) {
      entry = addTail(bytes, view, tail, end);
      if (entry < 0) return useGeneric;
    }
    if (cache.tag(entry) === filteredOut) return at;
    if (timed) {
      if (scan.numbers[1] === 0) return at;
      const time = (scan.seconds[0] ?? 0) + (scan.numbers[2] ?? 0) / 1e9;
      if (time < since || time >= until) return at;
    }
    const room = printer.room(scan, cache, entry);
    if (room > out.capacity) return useGeneric;
    if (room > out.capacity - at) return outputFull;
    return printer.print(scan, cache, entry, out.view, at);
  };
}
