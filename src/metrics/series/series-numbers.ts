import type { Fields } from "../decode/fields.ts";
import { seriesOf } from "../decode/series.ts";
import { seriesKey } from "../reading/identity.ts";

/** Numbers of series, in the order of their first readings. A series may have several entries in the cache of a decoder. */
export function createSeriesNumbers() {
  const byIdentity = new Map<string, number>();
  const byEntry: number[] = [];

  /** Called with a new entry. */
  function added(entry: number, fields: Fields): void {
    const key = seriesKey(seriesOf(fields));
    const number = byIdentity.get(key) ?? byIdentity.size;
    byIdentity.set(key, number);
    byEntry[entry] = number;
  }

  return { added, at: (entry: number) => byEntry[entry] ?? 0 };
}
