import { refuse } from "./reply.ts";

/** What is wrong with an RFC 3339 time; undefined for a valid one. */
export function wrongTime(text: string): string | undefined {
  const [, whole] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? [];
  if (whole === undefined) return `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00"`;
  // A day that a month does not have becomes one of the next month.
  const at = new Date(`${whole}Z`);
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(whole);
  return isReal ? undefined : `parsing time ${JSON.stringify(text)}: out of range`;
}

/** A time in a query, in milliseconds since the epoch; undefined without one. Throws 422, or `status`, for no time. */
export function queryTime(query: URLSearchParams, name: string, status = 422): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  const wrong = wrongTime(text);
  return wrong === undefined ? Date.parse(text) : refuse(status, wrong);
}

/** Whether a time is within `since` and `before` of a query, inclusive. Throws 422 where one of them is no time. */
export function inPeriod(query: URLSearchParams): (time: string) => boolean {
  const since = queryTime(query, "since") ?? Number.NEGATIVE_INFINITY;
  const before = queryTime(query, "before") ?? Number.POSITIVE_INFINITY;
  return (time) => Date.parse(time) >= since && Date.parse(time) <= before;
}

/** The value for "never" where Gitea sends Go's zero time. */
export const zeroTime = "0001-01-01T00:00:00Z";
/** The value for "never" where Gitea sends the Unix epoch. */
export const epoch = "1970-01-01T00:00:00Z";

/** Formats a time as the API does: RFC 3339, whole seconds, UTC. */
export function timestamp(time: Date | string | number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}
