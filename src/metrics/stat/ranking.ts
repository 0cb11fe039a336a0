import type { Group, Statistic } from "./groups.ts";

/** Sorts groups by a statistic, the greatest first; those without it come last, and equal ones keep their order. */
export function ranked(groups: Int32Array, by: Statistic, group: (number: number) => Group): Int32Array {
  const all = Array.from(groups, (number) => {
    const value = group(number).statistics[by];
    const key = typeof value === "object" ? value.seconds + value.nanos / 1e9 : value;
    // `last` can be NaN.
    return { number, key: key ?? Number.NaN, isUnknown: key === undefined || Number.isNaN(key) };
  });
  // Integers of 64 bits are compared with doubles exactly.
  const compare = (one: number | bigint, other: number | bigint) => (one > other ? -1 : one < other ? 1 : 0);
  all.sort((one, other) => Number(one.isUnknown) - Number(other.isUnknown) || compare(one.key, other.key));
  return Int32Array.from(all, ({ number }) => number);
}
