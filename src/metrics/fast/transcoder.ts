import { Unrepresentable } from "../formats/putval.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts } from "../reading/identity.ts";
import type { TimeRange } from "../reading/select.ts";
import { type Block, contentEnd, contentStart } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import { createScan, type Scan, scanReading } from "./scan.ts";
import { createTailCache, largeSize, type Tail, type TailCache } from "./tail-cache.ts";

/**
 * The fast path of a format. It receives scanned values and time, and the cached tail of the reading (everything after
 * them). It must write exactly what the generic path of the format writes.
 */
export interface Printer {
  /** Formats a new tail, decoded as a reading without values and time. */
  readonly tail: (reading: Reading) => Tail;
  /** Called with the cache entry of a new tail; it replaces any earlier tail with the same number. */
  readonly onCached?: (entry: number, reading: Reading) => void;
  /** Formats a new tail without decoding it; undefined falls back to `tail`. */
  readonly rawTail?: (view: DataView, start: number, end: number) => Tail | undefined;
  /** The maximum number of bytes that `print` writes. */
  readonly room: (scan: Scan, cache: TailCache, entry: number) => number;
  /** Writes a reading and returns its end; -1 falls back to the generic path. */
  readonly print: (scan: Scan, cache: TailCache, entry: number, view: DataView, at: number) => number;
}

/** Options of a transcoder. */
export interface TranscoderOptions {
  readonly printer: Printer;
  /** The generic decoder; throws a `WireFault` for an invalid message. */
  readonly decode: (bytes: Uint8Array, start: number, end: number) => Reading;
  /** Selects readings by their identifier. */
  readonly filter?: ((reading: Reading) => boolean) | undefined;
  readonly timeRange?: TimeRange | undefined;
}

/** The message needs the generic path. */
export const useGeneric = -1;
/** The output block is full: flush it and try again. */
export const outputFull = -2;

const filteredOut = -1;

/**
 * Converts an encoded reading to output without creating objects. Returns the end of the output, which is `at` if the
 * reading is filtered out, or `useGeneric` or `outputFull`. The input must extend `slack` bytes past `end`.
 */
export type Transcoder = (
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  out: Block,
  at: number,
) => number;

/** Creates a transcoder with an empty cache. */
export function createTranscoder({ printer, decode, filter, timeRange }: TranscoderOptions): Transcoder {
  const scan = createScan();
  let cache = createTailCache();
  let isLarge = false;
  const since = timeRange?.since ?? Number.NEGATIVE_INFINITY;
  const until = timeRange?.until ?? Number.POSITIVE_INFINITY;
  const timed = timeRange?.since !== undefined || timeRange?.until !== undefined;

  function addTail(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    if (!isLarge && cache.isTooSmall()) {
      cache = createTailCache(largeSize);
      isLarge = true;
      // The new cache adds what it was asked for last.
      cache.find(view, start, end);
    }
    const quick = printer.rawTail?.(view, start, end);
    if (quick !== undefined) {
      const wanted = filter === undefined || filter(identityOf(bytes, view, start, end));
      return cache.add(bytes, start, end, wanted ? quick : { texts: [], tag: filteredOut });
    }
    try {
      const reading = decode(bytes, start, end);
      if (reading.values.length > 0 || reading.time !== undefined) return -1;
      const wanted = filter === undefined || filter(reading);
      const entry = cache.add(bytes, start, end, wanted ? printer.tail(reading) : { texts: [], tag: filteredOut });
      if (entry >= 0) printer.onCached?.(entry, reading);
      return entry;
    } catch (error) {
      // The generic path reports the error and its position in the message.
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

/** A reading with the identifier of a tail that `rawTail` accepted: its lengths are short, its texts are ASCII. */
function identityOf(bytes: Uint8Array, view: DataView, start: number, end: number): Reading {
  const identifier = { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "" };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = start; at < end; ) {
    const next = contentEnd(view, at + 1, end);
    if (view.getUint8(at) !== identifierTag) {
      at = next;
      continue;
    }
    for (at = contentStart(view, at + 1); at < next; ) {
      const part = identityParts[(view.getUint8(at) >> 3) - 1];
      const from = contentStart(view, at + 1);
      at = contentEnd(view, at + 1, next);
      if (part !== undefined) identifier[part] = text.toString("latin1", from, at);
    }
  }
  return { values: [], time: undefined, interval: undefined, identifier, ds_names: [], meta_data: new Map() };
}

const identifierTag = 0x22;
