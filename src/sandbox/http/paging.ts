import type { Release } from "../release.ts";
import type { Site } from "../site.ts";
import { json, type Reply } from "./reply.ts";
import type { FullCall } from "./route.ts";

/** The default and the maximum page size. */
export const pageSize = { default: 30, most: 50 };

/** A requested page. */
export interface Page {
  readonly number: number;
  /** The page size, limited to the maximum. */
  readonly size: number;
  /** The page size as requested. */
  readonly asked: number;
}

type PagedCall = Pick<FullCall, "query" | "requestPath"> & { readonly site: Pick<Site, "root"> };

/** Parses `page` and `limit` of a query. */
export function pageOf(query: URLSearchParams): Page {
  const number = Math.max(1, Number.parseInt(query.get("page") ?? "", 10) || 1);
  const limit = Number.parseInt(query.get("limit") ?? "", 10) || 0;
  const asked = limit <= 0 ? pageSize.default : limit;
  return { number, asked, size: Math.min(asked, pageSize.most) };
}

/** The items of a list on a page. */
export function pageItems<T>(items: readonly T[], page: Page): readonly T[] {
  return items.slice((page.number - 1) * page.size, page.number * page.size);
}

/** The paging headers of a list. Most send both, some only the total, a few none. */
export type ListHeaders = "total and link" | "total" | "none";

/** Responds with one page of a list. Only its own items are converted. */
export async function listReply<C extends PagedCall, T>(
  call: C,
  items: readonly T[],
  serialize: (call: C, item: T) => Promise<unknown> | unknown,
  headers: ListHeaders = "total and link",
): Promise<Reply> {
  const page = pageOf(call.query);
  const records = await Promise.all(pageItems(items, page).map((item) => serialize(call, item)));
  return json(200, records, pageHeaders(call, items.length, page, headers));
}

/** Responds with one page of what a search found. */
export async function searchReply<C extends PagedCall, T>(
  call: C,
  items: readonly T[],
  serialize: (call: C, item: T) => Promise<unknown> | unknown,
  headers: ListHeaders = "total and link",
): Promise<Reply> {
  const page = pageOf(call.query);
  const data = await Promise.all(pageItems(items, page).map((item) => serialize(call, item)));
  return json(200, { ok: true, data }, pageHeaders(call, items.length, page, headers));
}

/** The headers `X-Total-Count` and `Link`, exposed to browsers. */
export function pageHeaders(call: PagedCall, total: number, page: Page, send: ListHeaders): Record<string, string> {
  if (send === "none") return {};
  const link = send === "total and link" ? linkHeader(call, total, page) : "";
  return {
    ...(link === "" ? {} : { Link: link }),
    "X-Total-Count": String(total),
    "Access-Control-Expose-Headers": link === "" ? "X-Total-Count" : "Link, X-Total-Count",
  };
}

/** The additional paging headers of commit and file lists. */
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

/**
 * The `Link` header (RFC 8288) with the relations next, last, first and prev that apply. The query is kept, sorted by
 * name.
 */
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

/** How the lists of Actions are sent: as an array, or in an object with `total_count`; and when they are paged. */
interface ListForm {
  readonly isArray?: true;
  readonly paged?: "never" | "if asked for a page";
  readonly headers: ListHeaders;
}

type ActionsList = "workflow_runs" | "jobs" | "artifacts" | "runners";

const forms: Readonly<Record<Release["product"], Readonly<Record<ActionsList, ListForm>>>> = {
  gitea: {
    workflow_runs: { headers: "total and link" },
    jobs: { headers: "total and link" },
    artifacts: { headers: "none" },
    runners: { headers: "none" },
  },
  forgejo: {
    workflow_runs: { paged: "if asked for a page", headers: "none" },
    jobs: { isArray: true, paged: "never", headers: "none" },
    artifacts: { isArray: true, headers: "total and link" },
    runners: { isArray: true, headers: "total and link" },
  },
};

/** Responds with one page of a list of Actions, in the form that the server has for it. */
export function actionsReply<T>(
  call: PagedCall & { readonly site: Pick<Site, "release"> },
  name: ActionsList,
  items: readonly T[],
  serialize: (item: T) => unknown,
): Reply {
  const { isArray, paged, headers } = forms[call.site.release.product][name];
  const page = pageOf(call.query);
  const isWhole = paged === "never" || (paged !== undefined && !call.query.has("page"));
  const shown = (isWhole ? items : pageItems(items, page)).map(serialize);
  const body = isArray ? shown : { [name]: shown, total_count: items.length };
  return json(200, body, pageHeaders(call, items.length, page, headers));
}
