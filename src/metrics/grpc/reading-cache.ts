import { type Identified, identityParts, partOf, seriesKey } from "../reading/identity.ts";
import { wildcard } from "../reading/wildcard.ts";
import type { QueryPatterns } from "./service.ts";

/** What the cache knows of a reading. */
interface KeptReading extends Identified {
  readonly interval?: { readonly seconds: { readonly toString: () => string }; readonly nanos: number } | undefined;
}

/** When a reading was taken. */
export interface ReadingTime {
  readonly seconds: number;
  readonly nanos: number;
}

/** Limits of the cache; beyond them, the least recently updated series are evicted. */
interface CacheOptions {
  readonly now: () => Date;
  readonly maxSeries?: number;
  /** Of memory, about. */
  readonly maxBytes?: number;
}

interface Kept {
  readonly parts: readonly string[];
  readonly encoded: Uint8Array;
  readonly time: ReadingTime;
  readonly expires: number;
  readonly size: number;
}

// As in collectd: `Timeout 2` intervals without a reading, of `Interval 10` seconds if the reading has none.
const timeout = 2;
const usualInterval = 10_000_000_000n;

// What a series takes besides its texts and its reading: objects, and an entry of the map.
const seriesSize = 500;

/** Creates an empty cache. A series expires when no reading has come for two of its intervals. */
export function createReadingCache(options: CacheOptions) {
  const { now, maxSeries = 50_000, maxBytes = 64 * 1024 * 1024 } = options;
  const latest = new Map<string, Kept>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= latest.get(key)?.size ?? 0;
    latest.delete(key);
  }

  return {
    /** Keeps a reading, unless that of its series that it has is newer and has not expired. */
    keep(reading: KeptReading, encoded: Uint8Array, { seconds, nanos }: ReadingTime) {
      const key = seriesKey(reading);
      const kept = latest.get(key);
      if (kept !== undefined && kept.expires > now().getTime() && isBefore({ seconds, nanos }, kept.time)) return;
      const interval = reading.interval === undefined ? 0n : nanoseconds(reading.interval);
      const lasts = Number(interval > 0n ? interval : usualInterval) / 1e6;
      forget(key);
      const parts = identityParts.map((part) => partOf(reading, part));
      // The key and the parts of it, in two bytes a character.
      const size = seriesSize + 4 * key.length + encoded.length;
      // A copy: what was received is part of a larger buffer.
      const expires = now().getTime() + timeout * lasts;
      latest.set(key, { parts, encoded: new Uint8Array(encoded), time: { seconds, nanos }, expires, size });
      bytes += size;
      for (const oldest of latest.keys()) {
        if (latest.size <= maxSeries && bytes <= maxBytes) break;
        forget(oldest);
      }
    },
    /** Returns the matching encoded readings, sorted by their identifiers. */
    query(patterns: QueryPatterns) {
      const tests = identityParts.map((part) => wildcard(patterns[part]));
      const at = now().getTime();
      for (const [key, { expires }] of latest) if (expires <= at) forget(key);
      return [...latest]
        .filter(([, { parts }]) => tests.every((test, index) => test(parts[index] ?? "")))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { encoded }]) => encoded);
    },
  };
}

function isBefore(one: ReadingTime, other: ReadingTime): boolean {
  return one.seconds < other.seconds || (one.seconds === other.seconds && one.nanos < other.nanos);
}

function nanoseconds({ seconds, nanos }: NonNullable<KeptReading["interval"]>): bigint {
  return BigInt(seconds.toString()) * 1_000_000_000n + BigInt(nanos);
}
