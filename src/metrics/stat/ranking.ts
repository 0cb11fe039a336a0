import type { Group, Instant } from "./groups.ts";

type Key = number | bigint | undefined;

const seconds = (time: Instant | undefined): Key => time && time.seconds + time.nanos / 1e9;

/** The statistics that groups can be sorted by, with the names of their fields in a record. */
const keys = {
  count: ({ count }) => count,
  nan: ({ nan }) => nan,
  first_time: ({ firstTime }) => seconds(firstTime),
  last_time: ({ lastTime }) => seconds(lastTime),
  min: ({ min }) => min,
  mean: ({ mean }) => mean,
  max: ({ max }) => max,
  last: ({ last }) => last,
  rate_min: ({ rateMin }) => rateMin,
  rate: ({ rate }) => rate,
  rate_max: ({ rateMax }) => rateMax,
  rate_p95: ({ rateP95 }) => rateP95,
  resets: ({ resets }) => resets,
  wraps: ({ wraps }) => wraps,
} as const satisfies Readonly<Record<string, (group: Group) => Key>>;

/** The name of a statistic. */
export type Statistic = keyof typeof keys;

export const statistics = Object.keys(keys).filter((key): key is Statistic => Object.hasOwn(keys, key));

/** Sorts groups by a statistic, the greatest first; those without it come last, and equal ones keep their order. */
export function ranked(groups: Int32Array, by: Statistic, group: (number: number) => Group): Int32Array {
  const known = Array.from(groups, (number) => ({ number, key: keys[by](group(number)) }));
  const rest = known.filter(({ key }) => isMissing(key));
  // Integers of 64 bits are compared with doubles exactly.
  const sorted = known.flatMap(({ number, key }) => (key === undefined || isMissing(key) ? [] : [{ number, key }]));
  sorted.sort((one, other) => (one.key > other.key ? -1 : one.key < other.key ? 1 : 0));
  return Int32Array.from([...sorted, ...rest], ({ number }) => number);
}

/** `last` can be NaN. */
function isMissing(key: Key): boolean {
  return key === undefined || Number.isNaN(key);
}
