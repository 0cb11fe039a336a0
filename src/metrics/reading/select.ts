import { UsageError } from "../../failure/failure.ts";
import type { Reading } from "./codec.ts";
import { type Identified, type IdentityPart, identityParts, partOf } from "./identity.ts";
import { isDate } from "./moments.ts";
import { wildcard } from "./wildcard.ts";

/** Shell wildcard patterns for the parts of an identifier, as in collectd's `QueryValues`. One of each part must match. */
export type IdentityPatterns = { readonly [K in IdentityPart]?: readonly string[] };

/** Whether a reading is selected by its identifier. */
export type IdentityTest = (reading: Identified) => boolean;

/** Creates a filter by identifier; undefined without patterns. */
export function identityFilter(patterns: IdentityPatterns): IdentityTest | undefined {
  const tests = identityParts.flatMap((part) => {
    const matches = (patterns[part] ?? []).map(wildcard);
    if (matches.length === 0) return [];
    return [(reading: Identified) => matches.some((match) => match(partOf(reading, part)))];
  });
  return tests.length === 0 ? undefined : (reading) => tests.every((test) => test(reading));
}

/** A time range in seconds since 1970, including `since` and excluding `until`. */
export interface TimeRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Whether a time is in the range; false without a time, unless there is no range. */
export function isInRange(time: number | undefined, { since, until }: TimeRange = {}): boolean {
  if (since === undefined && until === undefined) return true;
  return time !== undefined && (since === undefined || time >= since) && (until === undefined || time < until);
}

/** The same for the time of a decoded reading. */
export function inTimeRange({ time }: Reading, timeRange: TimeRange | undefined): boolean {
  return isInRange(time && time.seconds.toNumber() + time.nanos / 1e9, timeRange);
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/**
 * Parses the value of `--since` or `--until` to seconds since 1970: RFC 3339, a date, seconds since 1970, or a relative
 * time (`90s`, `15m`, `2h`, `7d`, `1w` ago). Without a zone, the time is local. Throws a usage error if it is invalid.
 */
export function readTime(typed: string | undefined, flag: string, now: Date): number | undefined {
  if (typed === undefined) return undefined;
  const ago = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(typed);
  if (ago !== null) return now.getTime() / 1000 - Number(ago[1]) * (units[ago[2] ?? ""] ?? 1);
  if (/^@?-?\d+(\.\d+)?$/.test(typed)) return Number(typed.replace("@", ""));
  const date = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T00:00:00` : typed.replace(" ", "T");
  const milliseconds = isDate(date.slice(0, 10)) && date[10] === "T" ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    throw new UsageError(
      `Invalid time '${typed}' for ${flag}`,
      "Examples: 2026-01-31T08:00:00Z, 2026-01-31, 1769846400, 2h (two hours ago)",
    );
  }
  return milliseconds / 1000;
}
