import type { Answered } from "./client.ts";
import type { Query } from "./path.ts";

/** What a listing operation says of itself. */
export interface PageCall {
  readonly query?: Query;
  /** The key of the items where the answer is an envelope (`workflow_runs`); otherwise it is a bare array. */
  readonly envelope?: string;
  /** The server has no paging here: one request brings everything. */
  readonly unpaged?: boolean;
  /** A field that no two items share; repeated ones are dropped (api-facts 3.5.1, or a list that moved meanwhile). */
  readonly unique?: string;
  readonly since?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A list on the server, fetched as far as it is read. */
export interface Listing<T> {
  /** At most `limit` items, in the server's order. */
  take(limit: number): AsyncGenerator<T, void, undefined>;
  /** How many there are, as far as the server said so; known once the first item was asked for. */
  readonly total: number | undefined;
}

/** The largest page that is asked for: the servers' default maximum (api-facts 7). */
const largestPage = 50;
/** How many pages are under way at once. */
const width = 16;

type Fetch = (query: Query) => Promise<Answered<unknown>>;

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
  /** The last page's number as `Link` has it; 0 when there is a `Link` without one. */
  readonly last: number | undefined;
  readonly next: boolean;
}

/** A listing over `fetch`. Only page numbers are taken from `Link`: its host may be another (api-facts 3.1.3). */
export function pages<T>(call: PageCall, fetch: Fetch): Listing<T> {
  let total: number | undefined;

  async function get(page: number, size: number): Promise<Page<T>> {
    const answer = await fetch(call.unpaged ? {} : { page, limit: size });
    const read = readPage<T>(answer, call.envelope);
    total ??= read.total;
    return read;
  }

  async function* raw(limit: number): AsyncGenerator<T, void, undefined> {
    const size = Math.min(limit, largestPage);
    const first = await get(1, size);
    yield* first.items;
    if (call.unpaged || first.items.length >= limit) return;
    const end = lastPage(first, size);
    const step = Math.max(1, first.items.length);
    yield* end === undefined ? follow(first, size) : together(end, size, limit - first.items.length, step);
  }

  /** Pages up to `end`, several under way, in order; no more than `wanted` items need unless pages come short. */
  async function* together(
    end: number,
    size: number,
    wanted: number,
    step: number,
  ): AsyncGenerator<T, void, undefined> {
    const underWay: Promise<Page<T>>[] = [];
    let next = 2;
    let missing = wanted;
    for (;;) {
      const enough = Math.max(1, Math.ceil(missing / step));
      while (next <= end && underWay.length < Math.min(width, enough)) {
        const page = get(next, size);
        page.catch(() => undefined);
        underWay.push(page);
        next += 1;
      }
      const page = await underWay.shift();
      if (page === undefined) return;
      yield* page.items;
      missing -= page.items.length;
      if (missing <= 0) return;
    }
  }

  /** One page after the other, where the server does not say how many there are. */
  async function* follow(first: Page<T>, size: number): AsyncGenerator<T, void, undefined> {
    let before = first;
    for (let number = 2; before.items.length > 0; number += 1) {
      const page = await get(number, size);
      // A server that ignores the page number would send the same for ever.
      if (JSON.stringify(page.items) === JSON.stringify(before.items)) return;
      yield* page.items;
      const ended = page.last === undefined ? page.items.length < first.items.length : !page.next;
      if (ended) return;
      before = page;
    }
  }

  return {
    async *take(limit) {
      const seen = new Set<unknown>();
      let taken = 0;
      for await (const item of raw(limit)) {
        if (call.unique !== undefined) {
          const key = (item as Readonly<Record<string, unknown>>)[call.unique];
          if (key !== undefined && seen.has(key)) continue;
          seen.add(key);
        }
        yield item;
        taken += 1;
        if (taken >= limit) return;
      }
    },
    get total() {
      return total;
    },
  };
}

/**
 * The number of the last page, or undefined when nothing tells. A first page that is shorter than asked for may be cut
 * by the server's maximum or by what the caller may not see: the larger number of pages is taken, empty ones do no harm.
 */
function lastPage(first: Page<unknown>, size: number): number | undefined {
  if (first.last !== undefined && first.last > 0) return first.last;
  if (first.last !== undefined && !first.next) return 1;
  if (first.total === undefined) return first.items.length === 0 ? 1 : undefined;
  return Math.ceil(first.total / (first.items.length === 0 ? size : Math.min(size, first.items.length)));
}

function readPage<T>(answer: Answered<unknown>, envelope: string | undefined): Page<T> {
  const { value, headers } = answer;
  const wrapped = envelope === undefined ? undefined : (value as Readonly<Record<string, unknown>> | null);
  const items = (wrapped === undefined ? value : wrapped?.[envelope ?? ""]) as readonly T[] | null | undefined;
  const counted = headers["x-total-count"] ?? wrapped?.["total_count"] ?? wrapped?.["count"];
  const total = counted === undefined || !/^\d+$/.test(String(counted)) ? undefined : Number(counted);
  const link = headers["link"];
  return { items: Array.isArray(items) ? items : [], total, ...linked(link) };
}

/** The page numbers in a `Link` header. */
function linked(link: string | undefined): { readonly last: number | undefined; readonly next: boolean } {
  if (link === undefined || link.trim() === "") return { last: undefined, next: false };
  const pageOf = (relation: string): number | undefined => {
    const found = new RegExp(`<([^>]*)>\\s*;\\s*rel="?${relation}"?`).exec(link)?.[1];
    const page = found === undefined ? undefined : /[?&]page=(\d+)/.exec(found)?.[1];
    return page === undefined ? undefined : Number(page);
  };
  return { last: pageOf("last") ?? 0, next: pageOf("next") !== undefined };
}
