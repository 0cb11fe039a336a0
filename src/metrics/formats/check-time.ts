import type { Moment } from "../decode/fields.ts";
import { isUsual, maxNanos, nanosecondsOf, partsText } from "../reading/moments.ts";
import { Unrepresentable } from "./printer.ts";

/** Throws `Unrepresentable` for a time that is none: with less than no nanoseconds, or a second of them and more. */
export function requireNanos(time: Moment): void {
  if (!time.isSet || (time.nanos >= 0 && time.nanos <= maxNanos)) return;
  throw new Unrepresentable(`the time ${partsText(time)} has invalid nanoseconds, which this format cannot represent`);
}

// Nanoseconds of the years 1970 to 2261 are below 2^63.
const firstLate = 9_223_372_036;
const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Throws `Unrepresentable` also for a time that nanoseconds in 64 bits cannot hold: milliseconds sent as seconds, for one. */
export function requireNanoseconds(time: Moment): void {
  if (!time.isSet || (isUsual(time) && time.seconds < firstLate)) return;
  requireNanos(time);
  const exact = nanosecondsOf(time);
  if (exact >= least && exact <= most) return;
  const reason = `the time ${partsText(time)} is outside the years 1678 to 2261, which this format cannot represent`;
  throw new Unrepresentable(reason);
}
