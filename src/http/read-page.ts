import { jsonText } from "../text/json.ts";
import type { Answered } from "./client.ts";
import { BrokenAnswerError } from "./errors.ts";

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
