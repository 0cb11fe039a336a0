import type { Moment } from "../decode/fields.ts";
import { maxNanos, nanosecondsOf } from "../reading/moments.ts";
import type { MomentWords } from "../wire/write-fields.ts";

/** 64 bits as two halves. With BigInt, each step would make an object. */
export interface Words {
  high: number;
  low: number;
}

const [minTime, maxTime] = [-(2n ** 63n), 2n ** 63n - 1n];
// Nanoseconds of the years 1970 to 2242 are below 2^63.
const limit = 2 ** 33;

/** Nanoseconds since 1970; false if the reading has no time, or one outside of 64 bits (the years 1678 to 2261). */
export function nanoseconds(time: Moment, words: Words): boolean {
  const { isSet, seconds, nanos } = time;
  if (!isSet) return false;
  if (seconds < 0 || seconds >= limit || nanos < 0 || nanos > maxNanos) {
    const exact = nanosecondsOf(time);
    if (exact < minTime || exact > maxTime) return false;
    words.high = Number(exact >> 32n);
    words.low = Number(exact & 0xff_ff_ff_ffn);
    return true;
  }
  // Each product stays below 2^53.
  const upper = Math.floor(seconds / 65_536) * 1e9;
  const lower = (upper % 65_536) * 65_536 + (seconds % 65_536) * 1e9 + nanos;
  words.high = Math.floor(upper / 65_536) + Math.floor(lower / 2 ** 32);
  words.low = lower >>> 0;
  return true;
}

/** The microsecond that has begun at a time in nanoseconds, also before 1970. */
export function microseconds(time: Readonly<Words>, words: Words): void {
  const { high, low } = time;
  words.high = Math.floor(high / 1000);
  words.low = Math.floor(((high - words.high * 1000) * 2 ** 32 + (low >>> 0)) / 1000);
}

/** The seconds and nanoseconds of a time in nanoseconds. The result is reused by the next call. */
export function momentOf(high: number, low: number): MomentWords {
  // Digits of 2^16 are divided one after the other, so that each remainder stays below 2^53.
  const first = Math.floor(high / 1e9);
  const upper = (high - first * 1e9) * 65_536 + (low >>> 16);
  const lower = (upper % 1e9) * 65_536 + (low & 0xff_ff);
  const seconds = first * 2 ** 32 + Math.floor(upper / 1e9) * 65_536 + Math.floor(lower / 1e9);
  moment.high = Math.floor(seconds / 2 ** 32);
  moment.low = seconds >>> 0;
  moment.nanos = lower % 1e9;
  return moment;
}

const moment: MomentWords = { high: 0, low: 0, nanos: 0 };

/** The bucket of what has no time: the last of all. */
export const noBucket = 2 ** 30;

/** The day or hour since 1970 of a time. */
export function bucketOf({ seconds }: Pick<Moment, "seconds">, by: "day" | "hour"): number {
  return Math.floor(seconds / (by === "day" ? 86_400 : 3600));
}
