import { UnknownOperationError } from "../http/errors.ts";
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

/** The items of a listing that pass all tests; without any, the listing itself, whose pages need not be larger. */
export function filterByAll<T>(listing: Listing<T>, tests: readonly ((item: T) => boolean)[]): Listing<T> {
  return tests.length === 0 ? listing : filterListing(listing, (item) => tests.every((test) => test(item)));
}

/** A listing with each item as `change` makes it. */
export function mapListing<T, K>(listing: Listing<T>, change: (item: T) => K | Promise<K>): Listing<K> {
  return {
    async *take(limit) {
      for await (const item of listing.take(limit)) yield await change(item);
    },
    get total() {
      return listing.total;
    },
  };
}

/**
 * A listing, or the one that `instead` returns for the error of its first page. For any other error `instead` throws, or
 * what explains it.
 */
export function orInstead<T>(first: Listing<T>, instead: (error: unknown) => Promise<Listing<T>>): Listing<T> {
  let used = first;
  return {
    async *take(limit) {
      if (used === first) {
        let isStarted = false;
        try {
          for await (const item of first.take(limit)) {
            isStarted = true;
            yield item;
          }
          return;
        } catch (error) {
          const second = await instead(error);
          if (isStarted) throw error;
          used = second;
        }
      }
      yield* used.take(limit);
    },
    get total() {
      return used.total;
    },
  };
}

/** A listing, or another one if the server does not have its operation. If it has neither, the first error counts. */
export function orIfUnknown<T>(
  first: Listing<T>,
  second: () => Listing<T>,
  isUnknown = isUnknownOperation,
): Listing<T> {
  return orInstead(first, async (error) => {
    if (!isUnknown(error)) throw error;
    return orInstead(second(), (other) => Promise.reject(other instanceof UnknownOperationError ? error : other));
  });
}

/**
 * For the error that the server does not have an operation, what another one returns; other errors are thrown. If the server
 * does not have the other one either, the first error counts.
 */
export function ifUnknown<T>(
  other: () => T | Promise<T>,
  isUnknown = isUnknownOperation,
): (error: unknown) => Promise<T> {
  return async (error) => {
    if (!isUnknown(error)) throw error;
    try {
      return await other();
    } catch (second) {
      throw second instanceof UnknownOperationError ? error : second;
    }
  };
}

function isUnknownOperation(error: unknown): boolean {
  return error instanceof UnknownOperationError;
}

/** Sorts a listing in an order that the server does not support; reads all of it. */
export function sortListing<T>(listing: Listing<T>, compare: (one: T, other: T) => number): Listing<T> {
  let total: number | undefined;
  return {
    async *take(limit) {
      const all = await collect(listing);
      total = all.length;
      yield* all.sort(compare).slice(0, limit === Number.POSITIVE_INFINITY ? undefined : limit);
    },
    get total() {
      return total;
    },
  };
}

/** The items of a listing: all, or up to `limit`. */
export async function collect<T>(
  listing: { take(limit: number): AsyncIterable<T> },
  limit = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const all: T[] = [];
  for await (const item of listing.take(limit)) all.push(item);
  return all;
}
