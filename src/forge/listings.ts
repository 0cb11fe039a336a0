import type { Listing } from "../http/pages.ts";

/**
 * Filters a listing by a test that not every server supports. Reads more pages until enough items match; the total is
 * unknown once an item was dropped.
 */
export function filterListing<T, K extends T>(listing: Listing<T>, test: (item: T) => item is K): Listing<K>;
export function filterListing<T>(listing: Listing<T>, test: (item: T) => boolean): Listing<T>;
export function filterListing<T>(listing: Listing<T>, test: (item: T) => boolean): Listing<T> {
  let dropped = false;
  return {
    async *take(limit) {
      let taken = 0;
      for await (const item of listing.take(Number.POSITIVE_INFINITY)) {
        if (!test(item)) {
          dropped = true;
          continue;
        }
        yield item;
        taken += 1;
        if (taken >= limit) return;
      }
    },
    get total() {
      return dropped ? undefined : listing.total;
    },
  };
}

/** A listing with each item as `change` makes it. */
export function mapListing<T>(listing: Listing<T>, change: (item: T) => T): Listing<T> {
  return {
    async *take(limit) {
      for await (const item of listing.take(limit)) yield change(item);
    },
    get total() {
      return listing.total;
    },
  };
}

/** Sorts a listing in an order that the server does not support; reads all of it. */
export function sortListing<T>(listing: Listing<T>, compare: (one: T, other: T) => number): Listing<T> {
  let total: number | undefined;
  return {
    async *take(limit) {
      const all: T[] = [];
      for await (const item of listing.take(Number.POSITIVE_INFINITY)) all.push(item);
      total = all.length;
      yield* all.sort(compare).slice(0, limit === Number.POSITIVE_INFINITY ? undefined : limit);
    },
    get total() {
      return total;
    },
  };
}

/** All items of a listing. */
export async function collect<T>(listing: { take(limit: number): AsyncIterable<T> }): Promise<T[]> {
  const all: T[] = [];
  for await (const item of listing.take(Number.POSITIVE_INFINITY)) all.push(item);
  return all;
}
