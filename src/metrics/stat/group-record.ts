import type { Labels } from "../reading/identity.ts";
import { fractionText } from "../reading/moments.ts";
import { doubleText } from "../reading/values.ts";
import { type Group, rateOf } from "./groups.ts";
import type { Instant } from "./rate.ts";

/** A group as it is printed: its labels and statistics. */
export interface GroupRecord extends Partial<Labels> {
  readonly count: number;
  readonly nan: number;
  readonly first_time?: string;
  readonly last_time?: string;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly mean?: string | number;
  readonly last?: string | number;
  readonly rate?: number;
  readonly resets: number;
  readonly wraps: number;
}

/** The record of a group, without unknown statistics. */
export function recordOf(group: Group): GroupRecord {
  const rate = rateOf(group);
  const counted = group.count - group.nan;
  return {
    ...group.labels,
    count: group.count,
    nan: group.nan,
    ...(group.first && { first_time: instantText(group.first) }),
    ...(group.last && { last_time: instantText(group.last) }),
    ...(group.min !== undefined && { min: printable(group.min) }),
    ...(group.max !== undefined && { max: printable(group.max) }),
    ...(counted > 0 && { mean: printable(group.sum / counted) }),
    ...(group.lastValue !== undefined && { last: printable(group.lastValue) }),
    ...(rate !== undefined && { rate }),
    resets: group.resets,
    wraps: group.wraps,
  };
}

/** 64-bit integers, NaN and the infinities are strings, because JSON has no such numbers. */
function printable(value: number | bigint): string | number {
  if (typeof value === "bigint") return value.toString();
  return Number.isFinite(value) ? value : doubleText(value);
}

/** RFC 3339 in UTC, or `@SECONDSs` outside the years 1 to 9999. */
export function instantText({ seconds, nanos }: Instant): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return `@${seconds}s`;
  return `${date.toISOString().slice(0, 19)}${fractionText(nanos)}Z`;
}
