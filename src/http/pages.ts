import { jsonText } from "../text/json.ts";
import type { Answered } from "./answers.ts";
import { BrokenAnswerError } from "./errors.ts";
import type { Query } from "./path.ts";
import { connections } from "./transport.ts";

/** What a listing operation says of itself. */
export interface PageCall {
  readonly query?: Query;
  /**
   * The key of the items where the answer is an envelope (`workflow_runs`), or `*` for the only list in one; otherwise
   * the answer is a bare array.
   */
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
  /** The same as they come, page by page, where nothing stands between: printing thousands is faster by these. */
  pages?(limit: number): AsyncGenerator<readonly T[], void, undefined>;
  /** How many there are, as far as the server said so; known once the first item was asked for. */
  readonly total: number | undefined;
}

/** The largest page that is asked for: the servers' default maximum (api-facts 7). */
const largestPage = 50;

type Fetch = (query: Query) => Promise<Answered<unknown>>;

/** A listing over `fetch`. Only page numbers are taken from `Link`: its host may be another (api-facts 3.1.3). */
export function pages<T>(call: PageCall, fetch: Fetch): Listing<T> {
  let total: number | undefined;

  async function get(number: number, size: number): Promise<Page<T>> {
    const page = readPage<T>(await fetch(call.unpaged ? {} : { page: number, limit: size }), call.envelope);
    total ??= page.total;
    return page;
  }

  /** Every page, in order. `wanted` says how many items are still missing, and so how far to look ahead. */
  async function* all(size: number, wanted: () => number): AsyncGenerator<Page<T>, void, undefined> {
    const first = await get(1, size);
    yield first;
    if (call.unpaged) return;
    const end = lastPage(first, size);
    yield* end === undefined ? follow(first, size) : together(first, end, size, wanted);
  }

  /** Pages up to `end`, several under way, no more than the items that are wanted need. */
  async function* together(first: Page<T>, end: number, size: number, wanted: () => number) {
    const underWay: Promise<Page<T>>[] = [];
    const step = Math.max(1, first.items.length);
    let [before, largest, empty] = [first, first.items.length, 0];
    for (let [next, number] = [2, 2]; number <= end; number += 1) {
      const enough = Math.max(1, Math.ceil(wanted() / step));
      for (; next <= end && underWay.length < Math.min(connections, enough); next += 1) {
        const page = get(next, size);
        page.catch(() => undefined);
        underWay.push(page);
      }
      const page = await underWay.shift();
      // A server that ignores the page number sends the same again.
      if (page === undefined || sameItems(page, before)) return;
      yield page;
      before = page;
      largest = Math.max(largest, page.items.length);
      empty = page.items.length === 0 ? empty + 1 : 0;
      // The list may have grown meanwhile; and the longest page so far tells best how much goes into one.
      if (first.last) end = Math.max(end, page.last ?? 0);
      else if (page.total !== undefined) end = Math.ceil(page.total / (largest || size));
      // Where nearly all of the first pages is hidden that is far too many: after so many empty ones nothing comes.
      if (empty >= connections && number * size > (page.total ?? 0)) return;
    }
  }

  /** One page after the other until an empty one, where the server does not say how many there are. */
  async function* follow(first: Page<T>, size: number) {
    let before = first;
    for (let number = 2; before.items.length > 0 || before.next; number += 1) {
      const page = await get(number, size);
      if (sameItems(page, before)) return;
      yield page;
      if (page.last !== undefined && !page.next) return;
      before = page;
    }
  }

  const isNewBy = (key: string, seen: Set<unknown>) => (item: T) => {
    const value = (item as Readonly<Record<string, unknown>>)[key];
    const first = value === undefined || !seen.has(value);
    seen.add(value);
    return first;
  };

  async function* some(limit: number): AsyncGenerator<readonly T[], void, undefined> {
    const isNew = call.unique === undefined ? undefined : isNewBy(call.unique, new Set());
    let taken = 0;
    for await (const { items } of all(Math.min(limit, largestPage), () => limit - taken)) {
      const fresh = isNew === undefined ? items : items.filter(isNew);
      const wanted = fresh.length > limit - taken ? fresh.slice(0, limit - taken) : fresh;
      taken += wanted.length;
      yield wanted;
      if (taken >= limit) return;
    }
  }

  return {
    pages: some,
    async *take(limit) {
      for await (const items of some(limit)) yield* items;
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
  const count = first.items.length;
  if (first.total !== undefined && count >= first.total) return 1;
  if (first.last !== undefined && first.last > 0) return first.last;
  if (first.last !== undefined && !first.next) return 1;
  if (first.total === undefined || (count === 0 && first.next)) return count === 0 && !first.next ? 1 : undefined;
  return Math.ceil(first.total / (count === 0 ? size : Math.min(size, count)));
}

/** One page of a list and what its answer says of the others. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
  /** The last page's number as `Link` has it; 0 when there is a `Link` without one. */
  readonly last: number | undefined;
  readonly next: boolean;
}

/** Reads an answer as a page. `null` is an empty list (api-facts 3.1.8); anything else that is no list is an error. */
export function readPage<T>(answer: Answered<unknown>, envelope: string | undefined): Page<T> {
  const { value, headers, status } = answer;
  const wrapped = envelope !== undefined && isRecord(value) ? value : undefined;
  const items =
    wrapped === undefined ? value : envelope === "*" ? onlyList(wrapped) : (wrapped[envelope ?? ""] ?? null);
  if (items !== null && !Array.isArray(items)) {
    const about = { status, method: "GET", path: "" };
    throw new BrokenAnswerError("The server answered with something that is not a list", about);
  }
  const counted = headers["x-total-count"] ?? wrapped?.["total_count"] ?? wrapped?.["count"];
  const total = counted === undefined || !/^\d+$/.test(String(counted)) ? undefined : Number(counted);
  return { items: (items ?? []) as readonly T[], total, ...linked(headers["link"]) };
}

/** Whether two pages hold the same items. The first ones tell nearly always. */
export function sameItems(one: Page<unknown>, other: Page<unknown>): boolean {
  const [a, b] = [one.items, other.items];
  if (a.length !== b.length || a.length === 0) return false;
  return jsonText(a[0]) === jsonText(b[0]) && jsonText(a) === jsonText(b);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function onlyList(wrapped: Readonly<Record<string, unknown>>): unknown {
  const lists = Object.values(wrapped).filter((value) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : wrapped;
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
