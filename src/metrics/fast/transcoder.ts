import { Unsayable } from "../formats/unsayable.ts";
import type { Reading } from "../reading/decode-reading.ts";
import { WireFault } from "../wire/fault.ts";
import type { Block } from "./block.ts";
import type { Printer } from "./printer.ts";
import { createScan, scanReading } from "./scan.ts";
import { createTailCache } from "./tail-cache.ts";

/** The time span of readings that are wanted, in seconds since 1970, from `since` on and before `until`. */
export interface Span {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** What the fast way is told. */
export interface TranscoderOptions {
  readonly printer: Printer;
  /** Decodes a tail the generic way; throws for bytes that are no valid message. */
  readonly decode: (bytes: Uint8Array, start: number, end: number) => Reading;
  /** Whether readings with this identifier are wanted. */
  readonly wants?: ((reading: Reading) => boolean) | undefined;
  readonly span?: Span | undefined;
}

/** The fast way could not: the generic way has to judge this message. */
export const unusual = -1;
/** The output block lacks room: flush it and ask again. */
export const full = -2;

const unwanted = -1;

/**
 * Wire bytes to output bytes without an object between. Returns the index behind what was written, which is `at` itself
 * when the reading is filtered out; or `unusual`, or `full`. The input must reach 16 bytes beyond `end`.
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
export function createTranscoder({ printer, decode, wants, span }: TranscoderOptions): Transcoder {
  const scan = createScan();
  const cache = createTailCache();
  const since = span?.since ?? Number.NEGATIVE_INFINITY;
  const until = span?.until ?? Number.POSITIVE_INFINITY;
  const timed = span?.since !== undefined || span?.until !== undefined;

  function learn(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const quick = wants === undefined ? printer.quickTail?.(view, start, end) : undefined;
    if (quick !== undefined) return cache.add(bytes, start, end, quick);
    try {
      const reading = decode(bytes, start, end);
      if (reading.values.length > 0 || reading.time !== undefined) return -1;
      const wanted = wants === undefined || wants(reading);
      const entry = cache.add(bytes, start, end, wanted ? printer.tail(reading) : { texts: [], tag: unwanted });
      if (entry >= 0) printer.kept?.(entry, reading);
      return entry;
    } catch (error) {
      // The generic way says what is wrong, and where in the message.
      if (error instanceof WireFault || error instanceof Unsayable) return -1;
      throw error;
    }
  }

  return (bytes, view, start, end, out, at) => {
    const tail = scanReading(view, start, end, scan);
    if (tail < 0) return unusual;
    let entry = cache.find(view, tail, end);
    if (entry < 0) {
      entry = learn(bytes, view, tail, end);
      if (entry < 0) return unusual;
    }
    if (cache.tag(entry) === unwanted) return at;
    if (timed) {
      if (scan.numbers[1] === 0) return at;
      const time = (scan.seconds[0] ?? 0) + (scan.numbers[2] ?? 0) / 1e9;
      if (time < since || time >= until) return at;
    }
    const room = printer.room(scan, cache, entry);
    if (room > out.capacity) return unusual;
    if (room > out.capacity - at) return full;
    return printer.print(scan, cache, entry, out.view, at);
  };
}
