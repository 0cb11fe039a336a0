import type { Reading } from "../reading/codec.ts";
import { identityParts, partOf, seriesName } from "../reading/identity.ts";
import { nanosecondsOf } from "../reading/moments.ts";
import { wildcard } from "../reading/wildcard.ts";
import type { QueryPatterns } from "./service.ts";

/** The last reading of each series. */
export interface ReadingCache {
  readonly keep: (reading: Reading, encoded: Uint8Array) => void;
  /** Returns the matching encoded readings, sorted by series name. */
  readonly query: (patterns: QueryPatterns) => Uint8Array[];
}

interface Kept {
  readonly parts: readonly string[];
  readonly encoded: Uint8Array;
  readonly expires: number;
}

// As in collectd: `Timeout 2` intervals without a reading, of `Interval 10` seconds if the reading has none.
const timeout = 2;
const usualInterval = 10_000_000_000n;

/**
 * Creates an empty cache for up to `capacity` series; beyond, the least recently updated one is evicted. A series expires
 * when no reading has come for two of its intervals.
 */
export function createReadingCache({ now, capacity = 50_000 }: { now: () => Date; capacity?: number }): ReadingCache {
  const latest = new Map<string, Kept>();
  return {
    keep(reading, encoded) {
      const name = seriesName(reading);
      const interval = reading.interval === undefined ? 0n : nanosecondsOf(reading.interval);
      const lasts = Number(interval > 0n ? interval : usualInterval) / 1e6;
      latest.delete(name);
      const parts = identityParts.map((part) => partOf(reading, part));
      latest.set(name, { parts, encoded, expires: now().getTime() + timeout * lasts });
      const [oldest] = latest.keys();
      if (latest.size > capacity && oldest !== undefined) latest.delete(oldest);
    },
    query(patterns) {
      const tests = identityParts.map((part) => wildcard(patterns[part]));
      const at = now().getTime();
      for (const [name, { expires }] of latest) if (expires <= at) latest.delete(name);
      return [...latest]
        .filter(([, { parts }]) => tests.every((test, index) => test(parts[index] ?? "")))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { encoded }]) => encoded);
    },
  };
}
