import { UsageError } from "../../failure/failure.ts";
import { type Identified, type IdentityPart, identityParts, partOf } from "./identity.ts";
import { isDate, type Parts, spanOf } from "./moments.ts";
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

/** Whether a part of the identifier of a reading that is selected may be from `least` to `most`, in the order of their bytes. */
export type PartTest = (part: IdentityPart, least: string, most: string) => boolean;

/** Creates the test for patterns; of several texts, what precedes the first wildcard tells. */
export function partTest(patterns: IdentityPatterns): PartTest {
  return (part, least, most) => {
    const some = patterns[part] ?? [];
    return some.length === 0 || some.some((pattern) => mayMatch(pattern, least, most));
  };
}

function mayMatch(pattern: string, least: string, most: string): boolean {
  if (least === most) return wildcard(pattern)(least);
  const [start = ""] = /^[^*?[\\]*/.exec(pattern) ?? [];
  const known = Buffer.from(start);
  const end = start === pattern ? undefined : known.length;
  return (
    known.compare(Buffer.from(least).subarray(0, end)) >= 0 && known.compare(Buffer.from(most).subarray(0, end)) <= 0
  );
}

/** A time range, including `since` and excluding `until`. */
export interface TimeRange {
  readonly since?: Parts | undefined;
  readonly until?: Parts | undefined;
}

/** Whether a time is in the range; false without a time, unless there is no range. */
export function isInRange(time: Parts | undefined, { since, until }: TimeRange = {}): boolean {
  if (since === undefined && until === undefined) return true;
  if (time === undefined) return false;
  return (since === undefined || difference(time, since) >= 0) && (until === undefined || difference(time, until) < 0);
}

/** Nanoseconds from one time to another: exact if they are close, where it matters. */
function difference(to: Parts, from: Parts): number {
  return (to.seconds - from.seconds) * 1e9 + (to.nanos - from.nanos);
}

/**
 * Parses the value of `--since` or `--until`, with all nanoseconds: RFC 3339, a date, seconds since 1970, or a relative time
 * (`90s`, `15m`, `2h`, `7d`, `1w` ago). Without a zone, the time is local. Throws a usage error if it is invalid.
 */
export function readTime(typed: string | undefined, flag: string, now: Date): Parts | undefined {
  if (typed === undefined) return undefined;
  const ago = spanOf(typed);
  if (ago !== undefined) return partsOf(now.getTime() / 1000 - ago);
  const [, sign, whole, decimals] = /^@?(-?)(\d+)(?:\.(\d+))?$/.exec(typed) ?? [];
  if (whole !== undefined) {
    const factor = sign === "-" ? -1 : 1;
    return { seconds: factor * Number(whole), nanos: Math.ceil(factor * nanosOf(decimals)) };
  }
  const date = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T00:00:00` : typed.replace(" ", "T");
  const [fraction = "", digits] = /(?<=:\d\d)\.(\d+)/.exec(date) ?? [];
  const isValid = isDate(date.slice(0, 10)) && date[10] === "T" && !Number.isNaN(Date.parse(date));
  if (!isValid) {
    throw new UsageError(
      `Invalid time '${typed}' for ${flag}`,
      "Examples: 2026-01-31T08:00:00Z, 2026-01-31, 1769846400, 2h (two hours ago)",
    );
  }
  return { seconds: Date.parse(date.replace(fraction, "")) / 1000, nanos: Math.ceil(nanosOf(digits)) };
}

/** The nanoseconds of decimals of a second. What follows them is a fraction: no reading is between two nanoseconds. */
function nanosOf(decimals = ""): number {
  const digits = decimals.padEnd(9, "0");
  return Number(`${digits.slice(0, 9)}.${digits.slice(9)}`);
}

function partsOf(time: number): Parts {
  const seconds = Math.floor(time);
  return { seconds, nanos: Math.round((time - seconds) * 1000) * 1_000_000 };
}
