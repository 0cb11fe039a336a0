import { groupKeys, type Labels } from "../reading/identity.ts";
import { instantText } from "../reading/moments.ts";
import { doubleText } from "../reading/values.ts";
import { type Group, type Statistic, statistics } from "./groups.ts";

/** A group as it is printed: the name of the series, unless `--by` groups several, its labels, and the statistics that are known. */
export type GroupRecord = { readonly series?: string } & Partial<Labels> & Partial<Record<Statistic, string | number>>;

/** The record of a group, without unknown statistics. */
export function recordOf(
  { labels, statistics: all }: Group,
  name: ((labels: Labels) => string) | undefined,
): GroupRecord {
  const record: GroupRecord = name ? { series: name({ ...noLabels, ...labels }), ...labels } : { ...labels };
  for (const key of statistics) {
    const value = all[key];
    if (value !== undefined) record[key] = typeof value === "object" ? instantText(value) : printable(value);
  }
  return record;
}

/** Labels that are all empty. */
export const noLabels = Object.fromEntries(groupKeys.map((key) => [key, ""])) as Labels;

/** 64-bit integers, NaN and the infinities are strings, because JSON has no such numbers. */
function printable(value: number | bigint): string | number {
  if (typeof value === "bigint") return value.toString();
  return Number.isFinite(value) ? value : doubleText(value);
}
