import type { Group, Statistic } from "./groups.ts";

/** Sorts groups by a statistic, the greatest first; those without it come last, and equal ones keep their order. */
export function ranked(groups: Int32Array, by: Statistic, group: (number: number) => Group): Int32Array {
  const all = Array.from(groups, (number) => {
    const value = group(number).statistics[by];
    return { number, key: typeof value === "object" ? value.seconds + value.nanos / 1e9 : value };
  });
  // `last` can be NaN.
  const known = all.flatMap(({ number, key }) => (key === undefined || Number.isNaN(key) ? [] : [{ number, key }]));
  const rest = all.filter(({ key }) => key === undefined || Number.isNaN(key));
  // Integers of 64 bits are compared with doubles exactly.
  known.sort((one, other) => (one.key > other.key ? -1 : one.key < other.key ? 1 : 0));
  return Int32Array.from([...known, ...rest], ({ number }) => number);
}
