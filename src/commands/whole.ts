import type { GlobalOptions } from "../command/global-flags.ts";
import type { Listing } from "../http/pages.ts";

/** A listing that was read to its end. */
export interface Whole<T> extends Listing<T> {
  readonly items: readonly T[];
}

/**
 * Reads all of a listing whose items are parts of one thing (the files of a change, its checks): the usual limit does
 * not cut it, only a `--limit` that was typed.
 */
export async function whole<T>(listing: Listing<T>, options: GlobalOptions): Promise<Whole<T>> {
  const items: T[] = [];
  for await (const item of listing.take(options.limit ?? Number.POSITIVE_INFINITY)) items.push(item);
  return allOf(items, options.limit === undefined ? items.length : listing.total);
}

/** Items as a listing that is never cut. */
export function allOf<T>(items: readonly T[], total: number | undefined = items.length): Whole<T> {
  return {
    items,
    total,
    async *take() {
      yield* items;
    },
  };
}
