import { type Read, readAs } from "../shape/read-as.ts";
import { anything, isObject, nullable, type Shape } from "../shape/shape.ts";
import { jsonText } from "../text/json.ts";
import type { Answered } from "./answers.ts";
import { BrokenAnswerError } from "./errors.ts";
import type { Query } from "./path.ts";
import { maxConnections } from "./transport.ts";

/** Options of a list operation. */
export interface PageCall<T = unknown> {
  /** The shape that each item is checked against; without it, items are any JSON values. */
  readonly items?: Shape<T>;
  /** The operation that the requests are of. */
  readonly operation?: string;
  readonly query?: Query;
  /**
   * The key of the items if the response is an object (`workflow_runs`), or `*` for the only list in the object. Without
   * it the response is an array.
   */
  readonly envelope?: string;
  /** The operation has no paging: one request returns everything. */
  readonly unpaged?: boolean;
  /** The total that the server sends is that of the page, and is ignored. */
  readonly pageTotal?: boolean;
  /**
   * A field that is unique to each item. Duplicates are dropped: a list can change between two pages
   * (docs/server-differences.md, "Paging").
   */
  readonly unique?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called if the first page is empty; what it rejects with is the failure of the list. */
  readonly whenEmpty?: () => Promise<unknown>;
}

/** A list on the server, fetched only as far as it is read. */
export interface Listing<T> {
  /** Yields up to `limit` items, in the server's order. */
  take(limit: number): AsyncGenerator<T, void, undefined>;
  /** Yields the items page by page, which is faster for thousands of items, with null where the server sent it. */
  pages?(limit: number): AsyncGenerator<readonly (T | null)[], void, undefined>;
  /** The number of items, if the server returns it; known after the first page. */
  readonly total: number | undefined;
}

/** The page size to request: the default maximum of servers (docs/server-differences.md, "Paging"). */
const maxPageSize = 50;

/** The most pages that are read of a list: a server whose pages have no end would never let go of --all. */
const maxPages = 100_000;

/** With so many records that cannot be read, each of them named, no further one is read. */
const maxUnreadable = 100;

/** How many pages can be requested and not yet read. */
const maxPending = 4 * maxConnections;

type Fetch = (query: Query) => Promise<Answered<unknown>>;

/** Called with what a record that cannot be read is not, and where it is: `a user: login is missing (item 2 of page 1)`. */
type Report = (mismatch: string, page: Query) => void;

/** What is called while a list is read. */
interface Observed {
  readonly unreadable?: Report | undefined;
  /** The server returned the same records again, and seems to have others, which cannot be read. */
  readonly repeated?: () => void;
}

/** A page, and the query that it is the answer to. */
interface Fetched<T> extends Page<T> {
  readonly query: Query;
}

/**
 * Creates a list whose pages are requested with `fetch`. Only page numbers are read from `Link`: the host in it can differ
 * (docs/server-differences.md, "Paging"). With `unreadable`, records that cannot be read are reported and left out.
 */
export function pages<T>(call: PageCall<T>, fetch: Fetch, { unreadable, repeated }: Observed = {}): Listing<T> {
  let total: number | undefined;
  const shape = itemShape(call);
  const isItem = (value: T | null): value is T => value !== null || call.items?.nullInLists !== true;

  async function get(number: number, size: number): Promise<Fetched<T | null>> {
    const query = call.unpaged ? {} : { page: number, limit: size };
    const read = readPage<T | null>(await fetch(query), call.envelope);
    const page = { ...read, query, ...(call.pageTotal ? { total: undefined } : {}) };
    total ??= page.total;
    return page;
  }

  /** The item, or undefined if it cannot be read. */
  function readItem(value: T | null, index: number, query: Query): T | null | undefined {
    if (unreadable === undefined) return value;
    const report = (what: string) => unreadable(`${what} (${placeOf(value, index, query)})`, query);
    const found = readAs(shape, value, report);
    if (found.mismatch === undefined) return found.value as T | null;
    report(found.mismatch);
    return undefined;
  }

  /**
   * Yields every page, in order, up to the second of two empty ones: the server's numbers are not trusted. `remaining`
   * returns the number of items still needed, which limits the prefetch.
   */
  async function* allPages(size: number, remaining: () => number): AsyncGenerator<Fetched<T | null>, void, undefined> {
    const first = await get(1, size);
    if (first.items.length === 0) await call.whenEmpty?.();
    yield first;
    if (call.unpaged) return;
    const end = lastPage(first, size);
    let empty = first.items.length === 0;
    for await (const page of end === undefined
      ? sequentialPages(first, size)
      : parallelPages(first, end, size, remaining)) {
      if (empty && page.items.length === 0) return;
      empty = page.items.length === 0;
      yield page;
    }
  }

  /**
   * Yields the pages up to `end`; requests several at once, but not more than needed if all of them are full. While a page
   * is slow, those after it are requested and wait to be read.
   */
  async function* parallelPages(first: Fetched<T | null>, end: number, size: number, remaining: () => number) {
    const pending: Promise<Fetched<T | null>>[] = [];
    let [next, running, largest, stopped] = [2, 0, first.items.length, false];
    const request = () => {
      const needed = Math.max(1, Math.ceil(remaining() / Math.max(size, largest)));
      while (!stopped && next <= end && running < maxConnections && pending.length < Math.min(maxPending, needed)) {
        const page = get(next, size);
        next += 1;
        running += 1;
        pending.push(page);
        const done = (failed: boolean) => {
          running -= 1;
          stopped ||= failed;
          request();
        };
        page.then(
          () => done(false),
          () => done(true),
        );
      }
    };
    try {
      for (let number = 2; number <= end; number += 1) {
        request();
        const page = await pending[0];
        if (page === undefined) return;
        yield page;
        void pending.shift();
        largest = Math.max(largest, page.items.length);
        // The list can grow meanwhile, and the longest page is the best guess of the page size.
        if (first.last) end = Math.max(end, page.last ?? 0);
        else if (page.total !== undefined) end = Math.ceil(page.total / (largest || size));
      }
    } finally {
      stopped = true;
    }
  }

  /** Yields pages until an empty one, if the server does not return the number of pages. */
  async function* sequentialPages(first: Fetched<T | null>, size: number) {
    let before = first;
    for (let number = 2; before.items.length > 0 || before.next; number += 1) {
      const page = await get(number, size);
      yield page;
      if (page.last !== undefined && !page.next) return;
      before = page;
    }
  }

  async function* firstItems(limit: number): AsyncGenerator<readonly (T | null)[], void, undefined> {
    const seen = new Set<unknown>();
    let [taken, read, failed] = [0, 0, 0];
    const size = Math.min(limit, maxPageSize);
    for await (const { items, query, next } of allPages(size, () => limit - taken)) {
      read += 1;
      if (read > maxPages) throw endless();
      const before = seen.size;
      const fresh = [...items.entries()].filter(([, item]) => {
        const known = seen.size;
        seen.add(identity(item, call.unique));
        return call.unique === undefined || fieldOf(item, call.unique) === undefined || seen.size > known;
      });
      // A server that ignores the page number returns the same records again.
      if (items.length > 0 && seen.size === before) {
        // One that ignores the size, too, has returned all of them.
        if (total === undefined ? next || items.length === size : before < total) repeated?.();
        return;
      }
      const wanted: (T | null)[] = [];
      for (const [index, item] of fresh) {
        if (taken >= limit || failed >= maxUnreadable) break;
        const readable = readItem(item, index, query);
        if (readable === undefined) {
          failed += 1;
          continue;
        }
        wanted.push(readable);
        if (isItem(readable)) taken += 1;
      }
      yield wanted;
      // A server may have nothing else, without an end.
      if (failed >= maxUnreadable) return;
      if (taken >= limit) return;
    }
  }

  return {
    pages: firstItems,
    async *take(limit) {
      for await (const items of firstItems(limit)) yield* items.filter(isItem);
    },
    get total() {
      return total;
    },
  };
}

function endless(): BrokenAnswerError {
  const about = { status: 200, method: "GET", path: "", hint: "To read only some, pass --limit N." };
  return new BrokenAnswerError(`The list of the server has no end: ${maxPages} pages were read`, about);
}

/**
 * The number of the last page, or undefined if it is unknown. A first page with fewer items than requested is limited by
 * the server's maximum page size or by hidden items. The result assumes the former: empty pages do no harm.
 */
function lastPage(first: Page<unknown>, size: number): number | undefined {
  const count = first.items.length;
  if (first.total !== undefined && count >= first.total) return 1;
  if (first.last !== undefined && first.last > 0) return first.last;
  if (first.last !== undefined && !first.next) return 1;
  if (first.total === undefined || (count === 0 && first.next)) return count === 0 && !first.next ? 1 : undefined;
  return Math.ceil(first.total / (count === 0 ? size : Math.min(size, count)));
}

/** One page of a list, and what the response contains about the other pages. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
  /** The number of the last page in `Link`; 0 if `Link` has no last page. */
  readonly last: number | undefined;
  readonly next: boolean;
}

/** Reads the items of a page as what was asked for, in place. `null` is an empty list. */
export function readItems(call: PageCall, value: unknown): Read {
  const found = itemsIn(value, call.envelope);
  if (found === null) return { value, mismatch: undefined };
  if (!Array.isArray(found)) return { value, mismatch: "a list" };
  const shape = itemShape(call);
  for (const [index, item] of found.entries()) {
    const read = readAs(shape, item);
    if (read.mismatch !== undefined) return read;
    found[index] = read.value;
  }
  return { value, mismatch: undefined };
}

function itemShape({ items = anything }: PageCall): Shape<unknown> {
  return items.nullInLists ? nullable(items) : items;
}

/** Where a record is and what it is called: `item 2 of page 1, mara/harbor`. */
function placeOf(value: unknown, index: number, { page = 1 }: Query): string {
  const names = ["html_url", "full_name", "login", "name", "number", "id"].map((field) => fieldOf(value, field));
  const name = names.find((found) => (typeof found === "string" && found !== "") || typeof found === "number");
  return `item ${index + 1} of page ${page}${name === undefined ? "" : `, ${name}`}`;
}

/** The items in a response, which should be a list or null. */
function itemsIn(value: unknown, envelope: string | undefined): unknown {
  if (envelope === undefined || !isObject(value)) return value;
  return envelope === "*" ? singleList(value) : (value[envelope] ?? null);
}

/** Reads a response as a page. `null` is an empty list (docs/server-differences.md, "Paging"). Throws if it is not a list. */
export function readPage<T>(response: Answered<unknown>, envelope: string | undefined): Page<T> {
  const { value, headers, status } = response;
  const wrapped = envelope !== undefined && isObject(value) ? value : undefined;
  const items = itemsIn(value, envelope);
  if (items !== null && !Array.isArray(items)) {
    const about = { status, method: "GET", path: "" };
    throw new BrokenAnswerError("The server returned a response that is not a list", about);
  }
  const counted = headers["x-total-count"] ?? wrapped?.["total_count"] ?? wrapped?.["count"];
  // A record's own count can be anything.
  const isCount = typeof counted === "string" ? /^\d+$/.test(counted) : Number.isSafeInteger(counted);
  const total = isCount && Number(counted) >= 0 ? Number(counted) : undefined;
  return { items: (items ?? []) as readonly T[], total, ...parseLink(headers["link"]) };
}

/** What makes an item the same record on another page: its unique field, its ID, or else all of it. */
function identity(item: unknown, unique: string | undefined): unknown {
  const value = unique === undefined ? undefined : fieldOf(item, unique);
  if (value !== undefined) return value;
  const id = fieldOf(item, "id");
  return (typeof id === "number" && id > 0) || typeof id === "bigint" ? id : jsonText(item);
}

function fieldOf(item: unknown, name: string): unknown {
  return isObject(item) ? item[name] : undefined;
}

function singleList(wrapped: Readonly<Record<string, unknown>>): unknown {
  const lists = Object.values(wrapped).filter((value) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : wrapped;
}

/** The page numbers in a `Link` header: `<URL>; rel="next", …`. Takes linear time. */
function parseLink(link: string | undefined): { readonly last: number | undefined; readonly next: boolean } {
  if (link === undefined || link.trim() === "") return { last: undefined, next: false };
  const pageOf = new Map<string, number>();
  let start = link.indexOf("<");
  while (start >= 0) {
    const end = link.indexOf(">", start);
    if (end < 0) break;
    start = link.indexOf("<", end);
    const parameters = link.slice(end + 1, start < 0 ? link.length : start);
    const relation = /^\s*;\s*rel="?(\w+)"?/.exec(parameters)?.[1];
    const page = /[?&]page=(\d+)/.exec(link.slice(link.lastIndexOf("<", end) + 1, end))?.[1];
    if (relation !== undefined && page !== undefined && !pageOf.has(relation)) pageOf.set(relation, Number(page));
  }
  return { last: pageOf.get("last") ?? 0, next: pageOf.has("next") };
}
