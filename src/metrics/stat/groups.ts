import { type GroupKey, groupKeys, type Labels } from "../reading/identity.ts";
import type { SourceKind } from "../reading/values.ts";
import type { Instant } from "./rate.ts";
import { stepOf } from "./rate.ts";

/** Statistics of a group. */
export interface Group {
  readonly labels: Partial<Labels>;
  readonly members: Series[];
  count: number;
  nan: number;
  sum: number;
  min: number | bigint | undefined;
  max: number | bigint | undefined;
  first: Instant | undefined;
  last: Instant | undefined;
  lastValue: number | bigint | undefined;
  resets: number;
  wraps: number;
}

/** State of a data source for computing its rate. */
export interface Series {
  readonly group: Group;
  readonly kind: SourceKind | "";
  previous: bigint | undefined;
  at: Instant | undefined;
  increase: number;
  span: number;
}

/** Adds a value. NaN is only counted; a value without a time does not affect rates. */
export function addValue(series: Series, value: number | bigint, at: Instant | undefined): void {
  const { group } = series;
  group.count += 1;
  if (at !== undefined) {
    if (group.first === undefined || isBefore(at, group.first)) group.first = at;
    if (group.last === undefined || !isBefore(at, group.last)) {
      group.last = at;
      group.lastValue = value;
    }
  } else if (group.last === undefined) group.lastValue = value;
  if (typeof value === "bigint") addCount(series, value, at);
  if (Number.isNaN(value)) {
    group.nan += 1;
    return;
  }
  group.sum += Number(value);
  if (group.min === undefined || value < group.min) group.min = value;
  if (group.max === undefined || value > group.max) group.max = value;
}

function addCount(series: Series, value: bigint, at: Instant | undefined): void {
  const { previous, at: earlier, kind, group } = series;
  if (at === undefined || kind === "" || kind === "gauge") return;
  if (previous !== undefined && earlier !== undefined) {
    const span = at.seconds - earlier.seconds + (at.nanos - earlier.nanos) / 1e9;
    // Ignore late and duplicate readings for the rate.
    if (span <= 0) return;
    const { change, event } = stepOf(kind, previous, value);
    series.increase += Number(change);
    series.span += span;
    if (event === "reset") group.resets += 1;
    if (event === "wrap") group.wraps += 1;
  }
  series.previous = value;
  series.at = at;
}

function isBefore(one: Instant, other: Instant): boolean {
  return one.seconds < other.seconds || (one.seconds === other.seconds && one.nanos < other.nanos);
}

/** Increase per second of a group: the sum of the rates of its series, each over its own time range. */
export function rateOf({ members }: Group): number | undefined {
  const rates = members.flatMap(({ increase, span }) => (span > 0 ? [increase / span] : []));
  return rates.length === 0 ? undefined : rates.reduce((sum, rate) => sum + rate, 0);
}

/** Maximum number of tracked data sources, which limits memory to about 150 MB. */
export const maxSeries = 100_000;

/** All series and their groups. */
export interface SeriesTable {
  /** The series with these labels; undefined if there are too many. */
  readonly series: (labels: Labels) => Series | undefined;
  readonly groups: () => Group[];
}

/** Creates an empty table that groups by `by`. */
export function createSeriesTable(by: readonly GroupKey[], limit = maxSeries): SeriesTable {
  const all = new Map<string, Series>();
  const groups = new Map<string, Group>();
  const keyOf = (labels: Labels, keys: readonly GroupKey[]) => JSON.stringify(keys.map((key) => labels[key]));

  function groupOf(labels: Labels): Group {
    const key = keyOf(labels, by);
    let group = groups.get(key);
    if (group === undefined) {
      const own = Object.fromEntries(by.map((part) => [part, labels[part]]));
      group = {
        ...{ labels: own, members: [], count: 0, nan: 0, sum: 0, min: undefined, max: undefined },
        ...{ first: undefined, last: undefined, lastValue: undefined, resets: 0, wraps: 0 },
      };
      groups.set(key, group);
    }
    return group;
  }

  function series(labels: Labels): Series | undefined {
    const key = keyOf(labels, groupKeys);
    const known = all.get(key);
    if (known !== undefined || all.size >= limit) return known;
    const kind = labels.kind as Series["kind"];
    const created = { group: groupOf(labels), kind, previous: undefined, at: undefined, increase: 0, span: 0 };
    created.group.members.push(created);
    all.set(key, created);
    return created;
  }

  const sorted = () => [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
  return { series, groups: sorted };
}
