import type { Reading } from "../reading/codec.ts";
import { identityParts, partOf, seriesName } from "../reading/identity.ts";
import { wildcard } from "../reading/select.ts";
import type { QueryPatterns } from "./service.ts";

/** The last reading of each series. */
export interface ReadingCache {
  readonly keep: (reading: Reading, encoded: Uint8Array) => void;
  /** Returns the matching encoded readings, sorted by series name. */
  readonly query: (patterns: QueryPatterns) => Uint8Array[];
}

/** Creates an empty cache for up to `capacity` series; the least recently updated one is evicted. */
export function createReadingCache(capacity = 50_000): ReadingCache {
  const latest = new Map<string, { readonly parts: readonly string[]; readonly encoded: Uint8Array }>();
  return {
    keep(reading, encoded) {
      const name = seriesName(reading);
      latest.delete(name);
      latest.set(name, { parts: identityParts.map((part) => partOf(reading, part)), encoded });
      const [oldest] = latest.keys();
      if (latest.size > capacity && oldest !== undefined) latest.delete(oldest);
    },
    query(patterns) {
      const tests = identityParts.map((part) => wildcard(patterns[part]));
      return [...latest]
        .filter(([, { parts }]) => tests.every((test, index) => test(parts[index] ?? "")))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { encoded }]) => encoded);
    },
  };
}
