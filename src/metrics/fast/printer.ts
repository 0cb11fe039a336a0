import type { Reading } from "../reading/decode-reading.ts";
import type { Scan } from "./scan.ts";
import type { Tail, TailCache } from "./tail-cache.ts";

/**
 * The fast way of one format. It gets values and time scanned, and what follows them in a reading as a tail that it has
 * seen before; it must write exactly the bytes that the generic way of the same format writes.
 */
export interface Printer {
  /** What this format makes of a tail that has not been met, decoded: a reading without values and time. */
  readonly tail: (reading: Reading) => Tail;
  /** Told under which entry the cache keeps that tail from now on; what was kept there before is gone. */
  readonly kept?: (entry: number, reading: Reading) => void;
  /** The same straight from the bytes, for tails of the common form; undefined leaves it to `tail`. */
  readonly quickTail?: (view: DataView, start: number, end: number) => Tail | undefined;
  /** The most bytes that `print` writes. */
  readonly room: (scan: Scan, cache: TailCache, entry: number) => number;
  /** Writes one reading and returns the index behind it; -1 when the generic way has to. */
  readonly print: (scan: Scan, cache: TailCache, entry: number, view: DataView, at: number) => number;
}
