import { contentEnd, contentStart } from "../wire/block.ts";

/** The maximum number of values per reading on the fast path. */
export const maxValues = 64;

/** Types of values: the field numbers of `collectd.types.Value`. */
export const kind = { counter: 1, gauge: 2, derive: 3, absolute: 4 } as const;

/**
 * Values and time of one reading, in arrays that are reused for each reading to avoid allocations. Integers are stored as
 * two 32-bit halves.
 */
export interface Scan {
  readonly kinds: Uint8Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly gauges: Float64Array;
  /** [number of values, 1 if there is a time, nanoseconds of the time] */
  readonly numbers: Int32Array;
  /** [seconds of the time] */
  readonly seconds: Float64Array;
}

/** Creates the arrays for one reading. */
export function createScan(): Scan {
  return {
    kinds: new Uint8Array(maxValues),
    low: new Uint32Array(maxValues),
    high: new Uint32Array(maxValues),
    gauges: new Float64Array(maxValues),
    numbers: new Int32Array(3),
    seconds: new Float64Array(1),
  };
}

const maxSecond = 253_402_300_799;
const maxNanos = 999_999_999;

/**
 * Reads values and time of the reading from `at` to `end` and returns the start of its tail: interval, identifier, names
 * and metadata. Returns -1 for unusual encodings, which need the generic path. The view must extend `slack` bytes past
 * `end`.
 */
export function scanReading(view: DataView, at: number, end: number, scan: Scan): number {
  let count = 0;
  while (at < end && view.getUint8(at) === 0x0a) {
    const stop = contentEnd(view, at + 1, end);
    const start = contentStart(view, at + 1);
    if (stop < start + 2 || count === maxValues) return -1;
    const tag = view.getUint8(start);
    if (tag === 0x11) {
      if (stop !== start + 9) return -1;
      scan.gauges[count] = view.getFloat64(start + 1, true);
      scan.kinds[count] = kind.gauge;
    } else if (tag === 0x08 || tag === 0x18 || tag === 0x20) {
      if (!scanInteger(view, start + 1, stop, scan, count)) return -1;
      scan.kinds[count] = tag >> 3;
    } else {
      return -1;
    }
    count += 1;
    at = stop;
  }
  scan.numbers[0] = count;
  if (at >= end || view.getUint8(at) !== 0x12) {
    scan.numbers[1] = 0;
    return at;
  }
  const stop = contentEnd(view, at + 1, end);
  if (stop < 0 || !scanTime(view, contentStart(view, at + 1), stop, scan)) return -1;
  return stop;
}

/** Reads a varint that occupies exactly the bytes from `at` to `stop`. */
function scanInteger(view: DataView, at: number, stop: number, scan: Scan, index: number): boolean {
  const length = stop - at;
  if (length > 10) return false;
  let byte = view.getUint8(at);
  let low = byte & 0x7f;
  let high = 0;
  let shift = 7;
  at += 1;
  while (byte > 0x7f && shift < 28) {
    byte = view.getUint8(at++);
    low |= (byte & 0x7f) << shift;
    shift += 7;
  }
  if (byte > 0x7f) {
    byte = view.getUint8(at++);
    low |= (byte & 0x0f) << 28;
    high = (byte & 0x7f) >> 4;
    shift = 3;
    while (byte > 0x7f && shift < 32) {
      byte = view.getUint8(at++);
      high |= (byte & 0x7f) << shift;
      shift += 7;
    }
    // More than 64 bits need the generic path.
    if (length === 10 && byte > 1) return false;
  }
  scan.low[index] = low;
  scan.high[index] = high;
  return byte <= 0x7f && at === stop;
}

/** Reads seconds since 1970 and nanoseconds, in this order, each at most once. */
function scanTime(view: DataView, at: number, stop: number, scan: Scan): boolean {
  let seconds = 0;
  let nanos = 0;
  if (at < stop && view.getUint8(at) === 0x08) {
    at += 1;
    let scale = 1;
    let byte = 0x80;
    while (byte > 0x7f && scale < 2 ** 42) {
      byte = view.getUint8(at++);
      seconds += (byte & 0x7f) * scale;
      scale *= 128;
    }
    if (byte > 0x7f || seconds > maxSecond) return false;
  }
  if (at < stop && view.getUint8(at) === 0x10) {
    at += 1;
    let scale = 1;
    let byte = 0x80;
    while (byte > 0x7f && scale < 2 ** 35) {
      byte = view.getUint8(at++);
      nanos += (byte & 0x7f) * scale;
      scale *= 128;
    }
    if (byte > 0x7f || nanos > maxNanos) return false;
  }
  if (at !== stop) return false;
  scan.seconds[0] = seconds;
  scan.numbers[1] = 1;
  scan.numbers[2] = nanos;
  return true;
}
