import type { Fields } from "../decode/fields.ts";
import { intervalOf } from "../reading/moments.ts";

// Clocks of hosts differ by some seconds.
const usualSkew = 60;

/** Whether a time is ahead of the clock by more than the interval, or a minute if that is more. All are in seconds. */
export function isAhead(time: number, interval: number, now: number): boolean {
  return time - now > Math.max(interval, usualSkew);
}

/** The warning of readings, or values, that are left out. */
export function aheadWarning(count: number, what: string): string {
  const which = count === 1 ? `${what} that is` : `${what}s that are`;
  return `Left out ${count} ${which} ahead of the clock; --until TIME includes them`;
}

/** Finds the readings that are ahead of the clock: they would make all that follow late. */
export type AheadReadings = ReturnType<typeof createAheadReadings>;

/** Starts with no readings; `now` is in seconds. */
export function createAheadReadings(now: number) {
  const intervals: number[] = [];
  let count = 0;

  /** Whether a reading is ahead of the clock; it is then counted. */
  function has({ time }: Fields, entry: number): boolean {
    if (!time.isSet || !isAhead(time.seconds, intervals[entry] ?? 0, now)) return false;
    count += 1;
    return true;
  }

  /** Called with the cache entry of a series before its first reading. */
  function added(entry: number, { interval }: Fields): void {
    intervals[entry] = intervalOf(interval.isSet ? interval : undefined);
  }

  return { added, has, count: () => count };
}
