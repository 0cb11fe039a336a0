import type { Listing } from "../http/pages.ts";

/**
 * The items of a listing that pass a test the server cannot make, or does not make everywhere. Reads on until as many
 * as are wanted have passed; the total is known only while every item passes.
 */
export function narrow<T>(listing: Listing<T>, test: (item: T) => boolean): Listing<T> {
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

/** A whole listing in an order that the server does not keep to. */
export function sorted<T>(listing: Listing<T>, compare: (one: T, other: T) => number): Listing<T> {
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

/** A whole listing as an array. */
export async function everything<T>(listing: { take(limit: number): AsyncIterable<T> }): Promise<T[]> {
  const all: T[] = [];
  for await (const item of listing.take(Number.POSITIVE_INFINITY)) all.push(item);
  return all;
}
