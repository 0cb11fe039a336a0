import type { Site } from "../site.ts";
import { by, descending } from "../state/order.ts";
import { json, type Reply, refuse } from "./reply.ts";
import type { FullCall } from "./route.ts";

/** The default and the maximum page size. */
export const pageSize = { default: 30, most: 50 };

/** A requested page; its size is limited to the maximum. */
export interface Page {
  readonly number: number;
  readonly size: number;
}

type PagedCall = Pick<FullCall, "query" | "requestPath"> & { readonly site: Pick<Site, "root"> };

/** Parses `page` and `limit` of a query. */
export function pageOf(query: URLSearchParams): Page {
  const number = Math.max(1, Number.parseInt(query.get("page") ?? "", 10) || 1);
  const limit = Number.parseInt(query.get("limit") ?? "", 10) || 0;
  return { number, size: limit <= 0 ? pageSize.default : Math.min(limit, pageSize.most) };
}

/**
 * The comparison that `sort` and `order` of a query ask for; without `sort`, by the first key and, unless `always`, in
 * ascending order. Throws 422 for an unknown one.
 */
export function orderOf<T>(
  query: URLSearchParams,
  keys: Readonly<Record<string, (one: T) => string | number>>,
  { always = false } = {},
): (one: T, other: T) => number {
  const asked = query.get("sort") ?? "";
  const sort = asked || Object.keys(keys)[0] || "";
  const key = new Map(Object.entries(keys)).get(sort) ?? refuse(422, `Invalid sort mode: "${sort}"`);
  const order = (asked !== "" || always ? query.get("order") : null) || "asc";
  if (order !== "asc" && order !== "desc") refuse(422, `Invalid sort order: "${order}"`);
  return (order === "desc" ? descending : by)(key);
}

/** The items of a list on a page. */
export function pageItems<T>(items: readonly T[], page: Page): readonly T[] {
  return items.slice((page.number - 1) * page.size, page.number * page.size);
}

/** The paging headers of a list. Most send both, commits and files also say which page it is, some only the total, a few none. */
export type ListHeaders = "total and link" | "page" | "total" | "none";

/** Responds with one page of a list. Only its own items are converted; what becomes undefined is counted, but not shown. */
export async function listReply<C extends PagedCall, T>(
  call: C,
  items: readonly T[],
  serialize: (call: C, item: T) => unknown,
  headers: ListHeaders = "total and link",
  bodyOf: (records: readonly unknown[]) => unknown = (records) => records,
): Promise<Reply> {
  const page = pageOf(call.query);
  const records = await Promise.all(pageItems(items, page).map((item) => serialize(call, item)));
  const shown = records.filter((record) => record !== undefined);
  return json(200, bodyOf(shown), pageHeaders(call, items.length, page, headers));
}

/** Responds with one page of what a search found. */
export function searchReply<C extends PagedCall, T>(
  call: C,
  items: readonly T[],
  serialize: (call: C, item: T) => unknown,
  headers?: ListHeaders,
): Promise<Reply> {
  return listReply(call, items, serialize, headers, (data) => ({ ok: true, data }));
}

/** The headers `X-Total-Count` and `Link`, exposed to browsers. */
export function pageHeaders(call: PagedCall, total: number, page: Page, send: ListHeaders): Record<string, string> {
  if (send === "none") return {};
  const link = send === "total" ? "" : linkHeader(call, total, page);
  const pages = Math.ceil(total / page.size);
  const position = {
    "X-Page": String(page.number),
    "X-PerPage": String(page.size),
    "X-PageCount": String(pages),
    "X-HasMore": String(page.number < pages),
  };
  return {
    ...(send === "page" ? position : {}),
    ...(link === "" ? {} : { Link: link }),
    "X-Total-Count": String(total),
    "Access-Control-Expose-Headers": link === "" ? "X-Total-Count" : "Link, X-Total-Count",
  };
}

/** The `Link` header (RFC 8288) with the relations next, last, first and prev that apply. The query is kept, sorted. */
export function linkHeader({ query, site, requestPath }: PagedCall, total: number, { number, size }: Page): string {
  const pages = Math.ceil(total / size);
  const current = Math.min(number, Math.max(pages, 1));
  const to = (page: number, rel: string): string => {
    const sorted = new URLSearchParams(query);
    sorted.set("page", String(page));
    sorted.sort();
    return `<${site.root}${requestPath}?${sorted.toString()}>; rel="${rel}"`;
  };
  const after = current < pages ? [to(current + 1, "next"), to(pages, "last")] : [];
  const before = current > 1 ? [to(1, "first"), to(current - 1, "prev")] : [];
  return [...after, ...before].join(",");
}

/** Responds with one page of a list of Actions: as an array, or in an object with `total_count`, as the server has it. */
export function actionsReply<T>(
  call: PagedCall & { readonly site: Pick<Site, "release"> },
  name: "workflow_runs" | "jobs" | "artifacts" | "runners",
  items: readonly T[],
  serialize: (item: T) => unknown,
): Reply {
  const isGitea = call.site.release.product === "gitea";
  const page = pageOf(call.query);
  const isWhole = !isGitea && (name === "jobs" || (name === "workflow_runs" && !call.query.has("page")));
  const shown = (isWhole ? items : pageItems(items, page)).map(serialize);
  const isObject = isGitea || name === "workflow_runs";
  const isLinked = isGitea === (name === "workflow_runs" || name === "jobs");
  const headers = pageHeaders(call, items.length, page, isLinked ? "total and link" : "none");
  return json(200, isObject ? { [name]: shown, total_count: items.length } : shown, headers);
}
