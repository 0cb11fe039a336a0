import { groupKeys, type Labels } from "../reading/identity.ts";
import { instantText } from "../reading/moments.ts";
import { doubleText } from "../reading/values.ts";
import type { Group } from "./groups.ts";

/** A group as it is printed: its labels and statistics. */
export interface GroupRecord extends Partial<Labels> {
  /** The name of the series, unless `--by` groups several. */
  readonly series?: string;
  readonly count: number;
  readonly nan: number;
  readonly first_time?: string;
  readonly last_time?: string;
  readonly min?: string | number;
  readonly mean?: string | number;
  readonly max?: string | number;
  readonly last?: string | number;
  readonly rate_min?: number;
  readonly rate?: number;
  readonly rate_max?: number;
  readonly rate_p95?: number;
  readonly resets: number;
  readonly wraps: number;
}

/** The record of a group, without unknown statistics. */
export function recordOf(group: Group, name: ((labels: Labels) => string) | undefined): GroupRecord {
  const { labels, firstTime, lastTime, min, mean, max, last, rate, rateMin, rateMax, rateP95 } = group;
  type Started = { -readonly [K in keyof Omit<GroupRecord, "resets" | "wraps">]: GroupRecord[K] };
  const record: Started = name
    ? { series: name({ ...noLabels, ...labels }), ...labels, count: group.count, nan: group.nan }
    : { ...labels, count: group.count, nan: group.nan };
  // One by one: spreading an object for each took most of the time of a long list.
  if (firstTime) record.first_time = instantText(firstTime);
  if (lastTime) record.last_time = instantText(lastTime);
  if (min !== undefined) record.min = printable(min);
  if (mean !== undefined) record.mean = printable(mean);
  if (max !== undefined) record.max = printable(max);
  if (last !== undefined) record.last = printable(last);
  if (rateMin !== undefined) record.rate_min = rateMin;
  if (rate !== undefined) record.rate = rate;
  if (rateMax !== undefined) record.rate_max = rateMax;
  if (rateP95 !== undefined) record.rate_p95 = rateP95;
  return Object.assign(record, { resets: group.resets, wraps: group.wraps });
}

/** Labels that are all empty. */
export const noLabels = Object.fromEntries(groupKeys.map((key) => [key, ""])) as Labels;

/** 64-bit integers, NaN and the infinities are strings, because JSON has no such numbers. */
function printable(value: number | bigint): string | number {
  if (typeof value === "bigint") return value.toString();
  return Number.isFinite(value) ? value : doubleText(value);
}
