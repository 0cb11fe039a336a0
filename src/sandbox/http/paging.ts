import type { Site } from "../site.ts";
import { json, type Reply } from "./reply.ts";
import type { FullCall } from "./route.ts";

export const pageSize = { default: 30, most: 50 };

export interface Page {
  readonly number: number;
  /** The size as clamped. */
  readonly size: number;
  /** The limit as asked for, which `Link` repeats. */
  readonly asked: number;
}

type PagedCall = Pick<FullCall, "query" | "requestPath"> & { readonly site: Pick<Site, "root"> };

/** `page` and `limit` of a request. */
export function pageOf(query: URLSearchParams): Page {
  const number = Math.max(1, Number.parseInt(query.get("page") ?? "", 10) || 1);
  const limit = Number.parseInt(query.get("limit") ?? "", 10) || 0;
  const asked = limit <= 0 ? pageSize.default : limit;
  return { number, asked, size: Math.min(asked, pageSize.most) };
}

/** The part of a list that the page shows. */
export function pageItems<T>(items: readonly T[], page: Page): readonly T[] {
  return items.slice((page.number - 1) * page.size, page.number * page.size);
}

/** Which headers a list sends: most send both, some no `Link`, a few neither. */
export type ListHeaders = "total and link" | "total" | "none";

/** Answers one page of a list: records are made for the page only. */
export async function listReply<T>(
  call: PagedCall,
  items: readonly T[],
  wire: (item: T) => Promise<unknown> | unknown,
  headers: ListHeaders = "total and link",
): Promise<Reply> {
  const page = pageOf(call.query);
  const records = await Promise.all(pageItems(items, page).map(wire));
  return json(200, records, pageHeaders(call, items.length, page, headers));
}

/** `X-Total-Count` and `Link`, and the header that shows them to browsers. */
export function pageHeaders(call: PagedCall, total: number, page: Page, send: ListHeaders): Record<string, string> {
  if (send === "none") return {};
  const link = send === "total and link" ? linkHeader(call, total, page) : "";
  return {
    ...(link === "" ? {} : { Link: link }),
    "X-Total-Count": String(total),
    "Access-Control-Expose-Headers": link === "" ? "X-Total-Count" : "Link, X-Total-Count",
  };
}

/** Facts of the page that lists of commits and of changed files send besides. */
export function pageInfoHeaders(total: number, page: Page): Record<string, string> {
  const pages = Math.ceil(total / page.size);
  return {
    "X-Page": String(page.number),
    "X-PerPage": String(page.size),
    "X-PageCount": String(pages),
    "X-HasMore": String(page.number < pages),
    "Access-Control-Expose-Headers": "Link, X-Total-Count, X-Page, X-PerPage, X-PageCount, X-HasMore",
  };
}

/** RFC 8288: next, last, first, prev, each where it means something; the query is kept, sorted by name. */
export function linkHeader({ query, site, requestPath }: PagedCall, total: number, { number, size }: Page): string {
  const pages = Math.ceil(total / size);
  const current = Math.min(number, Math.max(pages, 1));
  const to = (page: number, rel: string): string => {
    const sorted = new URLSearchParams(query);
    sorted.set("page", String(page));
    sorted.sort();
    return `<${site.root}${requestPath}?${sorted.toString()}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (current < pages) links.push(to(current + 1, "next"), to(pages, "last"));
  if (current > 1) links.push(to(1, "first"), to(current - 1, "prev"));
  return links.join(",");
}

/** Answers one page of a list in an envelope, as Actions do: the items under a name of their own, and `total_count`. */
export function envelopeReply<T>(
  call: PagedCall,
  name: string,
  items: readonly T[],
  wire: (item: T) => unknown,
  headers: ListHeaders = "total and link",
): Reply {
  const page = pageOf(call.query);
  const shown = pageItems(items, page).map(wire);
  return json(200, { [name]: shown, total_count: items.length }, pageHeaders(call, items.length, page, headers));
}
