import { kind } from "../decode/fields.ts";
import type { TypeSource } from "../encode/types-db.ts";
import { type Columns, growing } from "./columns.ts";
import type { Sample } from "./samples.ts";

/** What happened to a counter between two readings. */
export const change = { none: 0, wrap: 1, reset: 2 } as const;

/** The limits of a data source; a rate outside them is unknown, as in rrdtool. */
export type Limits = Pick<TypeSource, "min" | "max">;

/** The step from one reading of a series to the next. */
export interface Step {
  /** The increase; NaN if it is unknown. */
  increase: number;
  /** Seconds since the previous reading. */
  span: number;
  event: number;
}

/**
 * The previous readings of series, by number, in columns: an object for each of a million series would not fit. `late` counts the
 * readings that were late or repeated.
 */
export type Meters = ReturnType<typeof createMeters>;

/**
 * Creates an empty table. A counter that decreases has wrapped at 32 or 64 bits if that makes a small step; otherwise it
 * was reset and increased by its new value. A counter that was ever above 2^32 does not wrap at 32 bits. A derive may
 * decrease unless its minimum is 0; without limits, a drop by more than half that stays at or above zero is a reset. An
 * absolute value is itself the increase.
 */
export function createMeters() {
  const columns: Columns = growing();
  const high = columns.ints();
  const low = columns.ints();
  const seconds = columns.doubles();
  const nanos = columns.ints();
  const states = columns.bytes();
  const limited = new Map<number, Limits>();
  const free: number[] = [];
  let late = 0;
  let latest = -1;
  const result: Step = { increase: 0, span: 0, event: change.none };

  /** Starts a series. Rates outside the limits are unknown. */
  function add(limits?: Limits): number {
    const series = free.pop() ?? columns.add();
    if (limits?.min !== undefined || limits?.max !== undefined) limited.set(series, limits);
    return series;
  }

  /** Forgets a series; `add` gives its number to another one. */
  function remove(series: number): void {
    states.at[series] = seen.unset;
    limited.delete(series);
    free.push(series);
  }

  /**
   * The step to this reading; undefined for a gauge, the first reading, one without a time, and late and repeated ones.
   * The result is reused by the next call.
   */
  function step(series: number, sample: Sample): Step | undefined {
    if (!sample.timed || sample.kind === kind.gauge || sample.kind === 0) return undefined;
    const state = states.at[series] ?? 0;
    const span = sample.seconds - (seconds.at[series] ?? 0) + (sample.nanos - (nanos.at[series] ?? 0)) / 1e9;
    if (state !== seen.unset && span <= 0) {
      if (sample.reading !== latest) late += 1;
      latest = sample.reading;
      return undefined;
    }
    const [previousHigh, previousLow] = [high.at[series] ?? 0, low.at[series] ?? 0];
    seconds.at[series] = sample.seconds;
    nanos.at[series] = sample.nanos;
    high.at[series] = sample.high;
    low.at[series] = sample.low;
    states.at[series] = sample.high !== 0 ? seen.wide : Math.max(state, seen.narrow);
    if (state === seen.unset) return undefined;
    const limits = limited.get(series);
    result.span = span;
    result.event = change.none;
    if (sample.kind === kind.absolute) result.increase = unsigned(sample.high, sample.low);
    else if (sample.kind === kind.derive) stepDerive(previousHigh, previousLow, sample, limits?.min);
    else stepCounter(previousHigh >>> 0, previousLow >>> 0, sample, state === seen.wide);
    const rate = result.increase / span;
    if (limits !== undefined && (rate < (limits.min ?? rate) || rate > (limits.max ?? rate)))
      result.increase = Number.NaN;
    return result;
  }

  /** Subtracts 64-bit integers modulo 2^64; the result is signed. */
  function difference(fromHigh: number, fromLow: number, sample: Sample): number {
    const lower = (sample.low >>> 0) - (fromLow >>> 0);
    const upper = (sample.high - fromHigh - (lower < 0 ? 1 : 0)) | 0;
    return upper * 2 ** 32 + (lower >>> 0);
  }

  function stepDerive(fromHigh: number, fromLow: number, sample: Sample, min: number | undefined): void {
    const previous = signed(fromHigh, fromLow);
    const current = signed(sample.high, sample.low);
    result.increase = difference(fromHigh, fromLow, sample);
    if (min !== undefined) {
      if (result.increase < 0 && min >= 0) result.event = change.reset;
      return;
    }
    if (previous > 0 && current >= 0 && current * 2 < previous) {
      result.event = change.reset;
      result.increase = current;
    }
  }

  function stepCounter(fromHigh: number, fromLow: number, sample: Sample, isWide: boolean): void {
    const previous = unsigned(fromHigh, fromLow);
    const upper = sample.high >>> 0;
    const lower = sample.low >>> 0;
    if (upper > fromHigh || (upper === fromHigh && lower >= fromLow)) {
      // Below 2^63, or the counter has more than half a lap to go: not modulo, which is signed.
      result.increase = (upper - fromHigh) * 2 ** 32 + (lower - fromLow);
      return;
    }
    const range = fromHigh === 0 && !isWide ? 2 ** 32 : 2 ** 64;
    const wrapped = range === 2 ** 32 ? range - previous + lower : difference(fromHigh, fromLow, sample);
    const isWrap = wrapped >= 0 && wrapped * 4 <= range;
    result.event = isWrap ? change.wrap : change.reset;
    result.increase = isWrap ? wrapped : unsigned(upper, lower);
  }

  return { add, remove, step, late: () => late };
}

/** Whether a series has had a reading, and whether one was above 2^32. */
const seen = { unset: 0, narrow: 1, wide: 2 } as const;

function unsigned(high: number, low: number): number {
  return (high >>> 0) * 2 ** 32 + (low >>> 0);
}

function signed(high: number, low: number): number {
  return (high | 0) * 2 ** 32 + (low >>> 0);
}

/** The rate per second of a step; NaN after a reset. */
export function rateOf({ increase, span, event }: Step): number {
  return event === change.reset ? Number.NaN : increase / span;
}
