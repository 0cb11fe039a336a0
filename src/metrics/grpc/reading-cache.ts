import type { Reading } from "../reading/codec.ts";
import { identityParts, partOf, seriesName } from "../reading/identity.ts";
import { wildcard } from "../reading/select.ts";
import type { QueryPatterns } from "./service.ts";

/** The last reading of each series. */
export interface ReadingCache {
  readonly keep: (reading: Reading, encoded: Uint8Array) => void;
  /** The encoded readings that match, sorted by the names of their series. */
  readonly query: (patterns: QueryPatterns) => Uint8Array[];
}

/** An empty cache for so many series; beyond, the one that was silent longest is forgotten. */
export function createReadingCache(most = 50_000): ReadingCache {
  const latest = new Map<string, { readonly parts: readonly string[]; readonly encoded: Uint8Array }>();
  return {
    keep(reading, encoded) {
      const name = seriesName(reading);
      latest.delete(name);
      latest.set(name, { parts: identityParts.map((part) => partOf(reading, part)), encoded });
      const [oldest] = latest.keys();
      if (latest.size > most && oldest !== undefined) latest.delete(oldest);
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
