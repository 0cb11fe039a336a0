import type { Named } from "../reading/identity.ts";
import { type IdentityTest, isInRange, type TimeRange } from "../reading/select.ts";
import { createFields, type Fields } from "./fields.ts";
import { readRest, readStart } from "./read-fields.ts";
import { seriesOf } from "./series.ts";
import { createTailCache, largeSize, type Tail, type TailCache } from "./tail-cache.ts";

/** Options of a decoder. */
export interface DecoderOptions {
  /** Accept strings that are not UTF-8. */
  readonly lenient: boolean;
  /** Selects readings by their identifier. */
  readonly filter?: IdentityTest | undefined;
  readonly timeRange?: TimeRange | undefined;
  /** Of what `filter` selects, the series with so many values that are used; others may have strings that are not UTF-8. */
  readonly wanted?: ((series: Named, count: number) => boolean) | undefined;
  /** Called once for a series: what it needs of it, nothing by default. Its tag is not negative. */
  readonly tail?: ((fields: Fields) => Tail) | undefined;
  /** Called with the entry of a series; it replaces any earlier series with the same number. */
  readonly added?: ((entry: number, fields: Fields) => void) | undefined;
}

/** The decoder of all readings that come from files, pipes and the network. */
export interface Decoder {
  /** The values and the time of the reading that was read last. What is read once for a series is only in it for the first. */
  readonly fields: Fields;
  /** What `tail` returned, by entry. */
  tails: TailCache;
  /**
   * Reads the message from `start` to `end`, which the view must exceed by `slack` bytes. Returns the entry of its series,
   * or -1 if it is not selected. Throws a `WireFault` if it is not valid.
   */
  readonly read: (bytes: Uint8Array, view: DataView, start: number, end: number) => number;
}

const nothing = (): Tail => ({ texts: [], tag: 0 });
const filteredOut: Tail = { texts: [], tag: -1 };

/**
 * Creates a decoder with an empty cache of tails: interval, identifier, names and metadata, which are the same bytes in all
 * readings of a series. They are read once.
 */
export function createDecoder({ lenient, filter, timeRange, wanted, tail = nothing, added }: DecoderOptions): Decoder {
  const fields = createFields();
  const isTimed = timeRange?.since !== undefined || timeRange?.until !== undefined;
  let isLarge = false;

  function isSelected(): boolean {
    const { time } = fields;
    return !isTimed || isInRange(time.isSet ? time : undefined, timeRange);
  }

  /** Reads a tail that is not in the cache. */
  function newEntry(bytes: Uint8Array, view: DataView, at: number, end: number): number {
    const { count } = fields;
    let isTail: boolean;
    let fault: unknown;
    try {
      isTail = readRest(fields, lenient);
    } catch (error) {
      if (lenient) throw error;
      // A string that is not UTF-8 only matters in what is selected.
      fault = error;
      fields.count = count;
      try {
        isTail = readRest(fields, true);
      } catch {
        throw error;
      }
    }
    let isWanted = filter === undefined || filter(seriesOf(fields));
    if (fault !== undefined && isWanted) {
      if (!isSelected()) return -1;
      isWanted = wanted?.(seriesOf(fields), fields.count) !== false;
      if (isWanted) throw fault;
    }
    if (isTail && !isLarge && decoder.tails.isTooSmall()) {
      decoder.tails = createTailCache(largeSize);
      isLarge = true;
      // The new cache adds what it was asked for last.
      decoder.tails.find(view, at, end);
    }
    const made = isWanted ? tail(fields) : filteredOut;
    const entry = isTail ? decoder.tails.add(bytes, at, end, made) : decoder.tails.hold(made);
    if (!isWanted) return -1;
    added?.(entry, fields);
    return isSelected() ? entry : -1;
  }

  function read(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    fields.bytes = bytes;
    fields.view = view;
    const at = readStart(fields, start, end);
    const entry = decoder.tails.find(view, at, end);
    if (entry < 0) return newEntry(bytes, view, at, end);
    return decoder.tails.tag(entry) < 0 || !isSelected() ? -1 : entry;
  }

  const decoder: Decoder = { fields, tails: createTailCache(), read };
  return decoder;
}
