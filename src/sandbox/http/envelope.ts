import { type ListHeaders, pageHeaders, pageOf, slice } from "./paging.ts";
import { json, type Reply } from "./reply.ts";
import type { View } from "./route.ts";

type Asked = View & { readonly query: URLSearchParams; readonly requestPath: string };

/** Answers one page of a list in an envelope, as Actions do: the items under a name of their own, and `total_count`. */
export function enveloped<T>(
  call: Asked,
  name: string,
  items: readonly T[],
  wire: (item: T) => unknown,
  headers: ListHeaders = "total and link",
): Reply {
  const page = pageOf(call.query);
  const shown = slice(items, page).map(wire);
  return json(200, { [name]: shown, total_count: items.length }, pageHeaders(call, items.length, page, headers));
}
