import { serve, type TestServer } from "../support/server.ts";

/** How a server pages. */
export interface Paging {
  readonly count: number;
  /** Whether `X-Total-Count` is sent. */
  readonly total?: boolean;
  /** `Link` with every relation, with another host, without `last`, or not at all. */
  readonly link?: "full" | "foreign" | "no last";
  /** The maximum page size. */
  readonly largest?: number;
  /** Items that the user cannot see: missing on pages, but counted in the total. */
  readonly hidden?: (id: number) => boolean;
  /** Ignores `page`, or `page` and `limit`. */
  readonly ignores?: "page" | "page and limit";
  /** Wraps the items, with `total_count`. */
  readonly envelope?: string;
  /** Called before each response; returns the number of new items at the front of the list. */
  readonly inFront?: (requests: number) => number;
}

export interface PagedServer extends TestServer {
  /** The maximum number of concurrent requests. */
  widest(): number;
}

/** A real server with a list of `{id}`. */
export async function servePages(paging: Paging): Promise<PagedServer> {
  const { count, largest = 50, hidden = () => false } = paging;
  let pending = 0;
  let widest = 0;
  const server = await serve(async (_seen, request) => {
    pending += 1;
    widest = Math.max(widest, pending);
    // Later pages respond first, so the client must restore the order.
    const url = new URL(request.url ?? "", "http://root.invalid");
    const asked = Number(url.searchParams.get("page") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, asked % 2 === 0 ? 6 : 1));
    const front = paging.inFront?.(server.seen.length) ?? 0;
    const all = Array.from({ length: count + front }, (_, index) => index - front + 1);
    const limit = paging.ignores === "page and limit" ? all.length : Number(url.searchParams.get("limit") ?? 30);
    const size = Math.min(limit, paging.ignores === "page and limit" ? limit : largest);
    const page = paging.ignores === undefined ? asked : 1;
    const items = all.slice((page - 1) * size, page * size).filter((id) => !hidden(id));
    pending -= 1;
    const link = paging.link === undefined ? undefined : linkHeader(paging, url, page, Math.ceil(all.length / size));
    const records = items.map((id) => ({ id }));
    return {
      headers: {
        ...(paging.total ? { "x-total-count": String(all.length) } : {}),
        ...(link === undefined ? {} : { link }),
      },
      body: paging.envelope === undefined ? records : { total_count: all.length, [paging.envelope]: records },
    };
  });
  return { ...server, widest: () => widest };
}

/** `Link` as Gitea writes it: no spaces, no header for a single page. */
function linkHeader({ link }: Paging, url: URL, page: number, last: number): string | undefined {
  if (last <= 1) return undefined;
  const base = link === "foreign" ? "https://elsewhere.example/sub" : "http://127.0.0.1";
  const to = (number: number, rel: string) => {
    const query = new URLSearchParams(url.search);
    query.set("page", String(number));
    query.sort();
    return `<${base}${url.pathname}?${query}>; rel="${rel}"`;
  };
  const forward = page < last ? [to(page + 1, "next"), ...(link === "no last" ? [] : [to(last, "last")])] : [];
  const back = page > 1 ? [to(1, "first"), to(page - 1, "prev")] : [];
  return [...forward, ...back].join(",");
}
