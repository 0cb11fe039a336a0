import { describe, expect, it } from "vitest";
import type { Answered } from "../../src/http/answers.ts";
import { type PageCall, pages, readPage } from "../../src/http/pages.ts";
import { path } from "../../src/http/path.ts";
import { type Reply, serve } from "../support/server.ts";
import { clientFor } from "./client-for.ts";
import { type PagedServer, type Paging, servePages } from "./paged-server.ts";

interface Read {
  readonly ids: number[];
  readonly total: number | undefined;
  readonly server: PagedServer;
  readonly requests: number;
  readonly warnings: readonly string[];
}

async function read(
  paging: Paging,
  limit = Number.POSITIVE_INFINITY,
  call: PageCall<{ readonly id: number }> = {},
): Promise<Read> {
  const server = await servePages(paging);
  const client = clientFor(server.url);
  const listing = client.http.list<{ readonly id: number }>(path`/list`, call);
  const ids: number[] = [];
  for await (const item of listing.take(limit)) ids.push(item.id);
  return { ids, total: listing.total, server, requests: server.seen.length, warnings: client.warnings };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const everyThird = (id: number) => id % 3 === 0;

describe("a list", () => {
  const links = [undefined, "full", "foreign", "no last"] as const;
  const counts = [0, 1, 29, 30, 50, 51, 137];
  const kinds = links.flatMap((link) =>
    [true, false].flatMap((total) =>
      [50, 20].flatMap((largest) => [undefined, everyThird].map((hidden) => ({ link, total, largest, hidden }))),
    ),
  );

  it.each(kinds)(
    "is complete and in order with Link $link, total $total, at most $largest a page, hidden $hidden.name",
    async (kind) => {
      const { hidden = () => false, link, total, ...rest } = kind;
      for (const count of counts) {
        const paging: Paging = { ...rest, count, total, hidden, ...(link === undefined ? {} : { link }) };
        const seen = upTo(count).filter((id) => !hidden(id));
        expect((await read(paging)).ids).toEqual(seen);
        expect((await read(paging, 30)).ids).toEqual(seen.slice(0, 30));
      }
    },
  );

  it.each([
    ["30 of many in one request", { count: 1000, total: true, link: "full" }, 30, 1],
    ["30 in one request if the total is unknown", { count: 1000 }, 30, 1],
    ["30 of exactly 30 in one request", { count: 30, total: true }, 30, 1],
    ["fewer than 30 in one request with a total", { count: 12, total: true }, 30, 1],
    [
      "fewer than 30 in one request with a total, at most 10 a page, in two",
      { count: 12, total: true, largest: 10 },
      30,
      2,
    ],
    ["all of 1000 in twenty requests", { count: 1000, total: true }, Number.POSITIVE_INFINITY, 20],
    ["all of 1000 in twenty requests by Link alone", { count: 1000, link: "full" }, Number.POSITIVE_INFINITY, 20],
    ["120 of 1000 in three requests", { count: 1000, total: true }, 120, 3],
    ["an empty list in one request", { count: 0 }, Number.POSITIVE_INFINITY, 1],
    ["60 in three requests without a total, the last one empty", { count: 60 }, Number.POSITIVE_INFINITY, 3],
  ] as const)("asks for %s", async (_what, paging, limit, requests) => {
    expect((await read(paging, limit)).requests).toBe(requests);
  });

  it("requests at most 16 pages at once", async () => {
    const { ids, server } = await read({ count: 5000, total: true });
    expect(ids).toEqual(upTo(5000));
    expect(server.widest()).toBeGreaterThan(8);
    expect(server.widest()).toBeLessThanOrEqual(16);
  });

  it("reads the pages after a slow one meanwhile", async () => {
    let answerSlow = () => {};
    const others = new Set<number>();
    const server = await serve(async ({ url }) => {
      const page = Number(new URL(url, "http://server").searchParams.get("page"));
      if (page === 2) {
        await new Promise<void>((resolve) => {
          answerSlow = resolve;
        });
      } else {
        others.add(page);
        // More than can be on their way at once.
        if (others.size === 30) answerSlow();
      }
      const body = upTo(50).map((at) => ({ id: 50 * (page - 1) + at }));
      return { headers: { "x-total-count": "2000" }, body };
    });
    const client = clientFor(server.url);
    const ids: number[] = [];
    const listing = client.http.list<{ readonly id: number }>(path`/list`, {});
    for await (const { id } of listing.take(Number.POSITIVE_INFINITY)) ids.push(id);
    expect(ids).toEqual(upTo(2000));
  });

  it("requests only as many pages as needed, also if they are short", async () => {
    const { ids, requests } = await read({ count: 1000, total: true, link: "full", hidden: everyThird }, 100);
    expect(ids).toEqual(upTo(150).filter((id) => !everyThird(id)));
    expect(requests).toBeLessThanOrEqual(4);
  });

  it("stops if nearly all items of the first page are hidden", async () => {
    const { ids, requests } = await read({ count: 2000, total: true, hidden: (id) => id > 1 && id <= 50 });
    expect(ids).toHaveLength(1951);
    expect(requests).toBeLessThan(40 + 2 * 16);
  });

  it.each([
    { total: true },
    { total: true, largest: 20 },
    { link: "full" as const },
    { link: "full" as const, largest: 20 },
    { link: "no last" as const },
    { link: "no last" as const, total: true, largest: 20 },
  ])("continues after an empty first page when %o says that there is more", async (paging) => {
    const { largest = 50 } = paging;
    const hidden = (id: number) => id <= largest;
    expect((await read({ count: 137, hidden, ...paging })).ids).toEqual(upTo(137).slice(largest));
  });

  it("stops if the server ignores the page number, with and without a total", async () => {
    for (const total of [true, false]) {
      expect((await read({ count: 80, total, ignores: "page and limit" })).ids).toEqual(upTo(80));
      expect((await read({ count: 80, total, ignores: "page" })).ids).toEqual(upTo(50));
    }
    expect((await read({ count: 80, total: true, ignores: "page and limit" })).requests).toBe(1);
  });

  it("that the server cuts by repeating a page is said to be incomplete, and no other", async () => {
    for (const paging of [{ total: true }, {}, { link: "full" }, { largest: 20, total: true }] as const) {
      const { warnings } = await read({ count: 80, ignores: "page", ...paging });
      expect(warnings).toEqual([
        expect.stringMatching(/ repeats a page of \/api\/v1\/list: the list can be incomplete$/),
      ]);
    }
    const whole = [{ count: 80, ignores: "page and limit" }, { count: 30, ignores: "page" }, { count: 80 }] as const;
    for (const paging of whole)
      for (const total of [true, false]) expect((await read({ ...paging, total })).warnings).toEqual([]);
    expect((await read({ count: 80, ignores: "page", total: true }, 30)).warnings).toEqual([]);
  });

  it("drops duplicates if the list changes, and still returns as many as requested", async () => {
    const inFront = (requests: number) => (requests > 1 ? 5 : 0);
    const call = { unique: "id" };
    expect((await read({ count: 300, total: true, inFront }, 100, call)).ids).toEqual(upTo(100));
    expect((await read({ count: 300, total: true, inFront }, Number.POSITIVE_INFINITY, call)).ids).toEqual(upTo(300));
  });

  it("uses the last page of a later Link", async () => {
    const inFront = (requests: number) => (requests > 1 ? 60 : 0);
    const { ids } = await read({ count: 100, total: true, link: "full", inFront }, Number.POSITIVE_INFINITY, {
      unique: "id",
    });
    expect(ids.slice(-10)).toEqual(upTo(100).slice(-10));
  });

  it("has the total, from the header or the envelope", async () => {
    expect((await read({ count: 137, total: true }, 30)).total).toBe(137);
    expect((await read({ count: 137 }, 30)).total).toBeUndefined();
    expect((await read({ count: 137, envelope: "runs" }, 30, { envelope: "runs" })).total).toBe(137);
  });

  it("can be in an envelope, by name or as its only list", async () => {
    for (const envelope of ["runs", "*"]) {
      expect((await read({ count: 120, envelope: "runs" }, Number.POSITIVE_INFINITY, { envelope })).ids).toEqual(
        upTo(120),
      );
    }
    expect((await read({ count: 120 }, Number.POSITIVE_INFINITY, { envelope: "*" })).ids).toEqual(upTo(120));
  });

  it("always sends page and limit: Forgejo ignores limit without page", async () => {
    const { server } = await read({ count: 5, total: true }, 30, { query: { state: "open" } });
    expect(server.lines()).toEqual(["GET /api/v1/list?state=open&page=1&limit=30"]);
  });

  it("sends neither without paging", async () => {
    const { server, requests } = await read({ count: 80 }, 30, { unpaged: true });
    expect(server.lines()).toEqual(["GET /api/v1/list"]);
    expect(requests).toBe(1);
  });
});

describe("a list without end", () => {
  /** Reads from a server that answers page after page as the test says. */
  async function readFrom(reply: (page: number, size: number) => Reply, limit: number, call: PageCall = {}) {
    const server = await serve(({ url }) => {
      const { searchParams } = new URL(url, "http://root.invalid");
      return reply(Number(searchParams.get("page")), Number(searchParams.get("limit")));
    });
    const client = clientFor(server.url);
    const all: unknown[] = [];
    for await (const item of client.http.list(path`/list`, call).take(limit)) all.push(item);
    return { all, requests: server.seen.length };
  }
  const all = Number.POSITIVE_INFINITY;
  const next = (page: number) => ({ link: `</api/v1/list?page=${page + 1}>; rel="next"` });
  const fullPage = (page: number, size: number) => upTo(size).map((id) => ({ id: (page - 1) * size + id }));

  it.each([
    ["the total", () => ({ "x-total-count": "999999999999999" })],
    ["the next page in Link", next],
    [
      "the last page in Link",
      (page: number) => ({ link: `${next(page).link}, </api/v1/list?page=99999999>; rel="last"` }),
    ],
  ])("ends after two empty pages, whatever %s says", async (_what, headers) => {
    for (const limit of [30, all]) {
      const none = await readFrom((page) => ({ headers: headers(page), body: [] }), limit);
      expect(none.all).toEqual([]);
      expect(none.requests).toBeLessThanOrEqual(17);
      const some = await readFrom((page) => ({ headers: headers(page), body: page === 1 ? [{ id: 1 }] : [] }), limit);
      expect(some.all).toEqual([{ id: 1 }]);
      expect(some.requests).toBeLessThanOrEqual(18);
    }
  });

  it.each([
    ["ID", (page: number) => [{ id: 7, title: `${page}` }], {}],
    ["unique field", (page: number) => [{ sha: "abc", title: `${page}` }], { unique: "sha" }],
    ["content", () => ["mara", "ines"], {}],
  ])("ends with a page that brings no new record, by %s", async (_what, items, call) => {
    for (const limit of [30, all]) {
      const read = await readFrom((page) => ({ headers: next(page), body: items(page) }), limit, call);
      expect(read.all).toEqual(items(1));
      expect(read.requests).toBe(2);
    }
  });

  it("is never requested for more pages than the limit needs, and one", async () => {
    const endless = (page: number, size: number) => ({ headers: next(page), body: fullPage(page, size) });
    expect((await readFrom(endless, 30)).requests).toBe(1);
    expect((await readFrom(endless, 120)).requests).toBe(3);
    // The first page is nearly empty, which says nothing about the others.
    const few = (page: number, size: number) => ({
      headers: { "x-total-count": "1000" },
      body: page === 1 ? [{ id: -1 }] : fullPage(page, size),
    });
    const read = await readFrom(few, 120);
    expect(read.all).toHaveLength(120);
    expect(read.requests).toBeLessThanOrEqual(5);
  });

  it.each([
    ["a next page each time", (page: number) => ({ headers: next(page), body: [{ id: page }] })],
    [
      "an empty page after each",
      (page: number) => ({ headers: next(page), body: page % 2 === 0 ? [] : [{ id: page }] }),
    ],
    [
      "a total that grows",
      (page: number) => ({ headers: { "x-total-count": `${50 * page + 99}` }, body: fullPage(page, 1) }),
    ],
  ])("has an end for --all: %s", async (_what, reply) => {
    let requests = 0;
    const listing = pages<{ readonly id: number }>({}, async ({ page }) => {
      requests += 1;
      const { headers, body } = reply(Number(page));
      return { status: 200, headers, value: body };
    });
    const read = (async () => {
      for await (const _ of listing.take(all));
    })();
    await expect(read).rejects.toMatchObject({
      exit: "serverFailed",
      message: "The list of the server has no end: 100000 pages were read",
      hint: "To read only some, pass --limit N.",
    });
    expect(requests).toBeLessThanOrEqual(100_000 + 64 + 1);
  });

  it("is read in linear time if Link is only <", async () => {
    // In quadratic time, it would take hours.
    const answer: Answered<unknown> = { status: 200, headers: { link: "<".repeat(4_000_000) }, value: [] };
    expect(readPage(answer, undefined)).toMatchObject({ items: [], last: 0, next: false });
  });
});

describe("a response that is not a list", () => {
  async function readBody(body: unknown, call: PageCall = {}) {
    const server = await serve(() => ({ headers: { "content-type": "application/json" }, body }));
    const client = clientFor(server.url);
    const all: unknown[] = [];
    for await (const item of client.http.list(path`/list`, call).take(30)) all.push(item);
    return all;
  }

  it("is an error, never an empty list", async () => {
    await expect(readBody({ message: "?" })).rejects.toMatchObject({ code: "broken_answer" });
    await expect(readBody('"text"')).rejects.toMatchObject({ code: "broken_answer" });
    await expect(readBody({ runs: { a: 1 } }, { envelope: "runs" })).rejects.toMatchObject({ code: "broken_answer" });
    await expect(readBody({ a: [], b: [] }, { envelope: "*" })).rejects.toMatchObject({ code: "broken_answer" });
  });

  it("is an empty list if it is null", async () => {
    expect(await readBody("null")).toEqual([]);
    expect(await readBody({ total_count: 0, runs: null }, { envelope: "runs" })).toEqual([]);
  });

  it("keeps large integers", async () => {
    expect(await readBody('[{"id":9007199254740993}]')).toEqual([{ id: 9007199254740993n }]);
  });
});
