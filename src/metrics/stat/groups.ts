import { kind } from "../fast/scan.ts";
import { type GroupKey, groupKeys, type Labels } from "../reading/identity.ts";
import { growing } from "../series/columns.ts";
import { change, createMeters, type Limits, rateOf } from "../series/rates.ts";
import { exactValue, type Sample } from "../series/read-values.ts";
import { createQuantiles } from "./quantiles.ts";

/** A time in seconds and nanoseconds since 1970. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** Statistics of a group. Those of values are undefined without values, those of rates without rates. */
export interface Group {
  readonly labels: Partial<Labels>;
  readonly count: number;
  readonly nan: number;
  readonly mean: number | undefined;
  readonly min: number | bigint | undefined;
  readonly max: number | bigint | undefined;
  readonly last: number | bigint | undefined;
  readonly firstTime: Instant | undefined;
  readonly lastTime: Instant | undefined;
  /** The increase per second: the sum of the rates of the series, each over its own time range. */
  readonly rate: number | undefined;
  readonly rateMin: number | undefined;
  readonly rateMax: number | undefined;
  readonly rateP95: number | undefined;
  readonly resets: number;
  readonly wraps: number;
}

/** Maximum number of series, which limits memory to about 1 GB. */
export const maxSeries = 2_000_000;

/** All series and their groups. */
export interface SeriesTable {
  /** The number of the series with these labels; -1 if there are too many. */
  readonly series: (labels: Labels, limits?: Limits) => number;
  /** Adds a value. NaN is only counted; a value without a time does not affect rates. */
  readonly add: (series: number, sample: Sample) => void;
  /** The labels of the groups, sorted. */
  readonly keys: () => readonly string[];
  /** The group with this key. */
  readonly group: (key: string) => Group;
  /** The number of series that were left out. */
  readonly leftOut: () => number;
}

/** Creates an empty table that groups by `by`. */
export function createSeriesTable(by: readonly GroupKey[], limit = maxSeries): SeriesTable {
  const all = new Map<string, number>();
  const groups = by === groupKeys ? all : new Map<string, number>();
  const extra = new Set<string>();
  const meters = createMeters();
  const rates = createQuantiles();
  // Numbers in columns: objects for each of a million series would not fit into memory.
  const ofSeries = growing();
  const groupOf = ofSeries.ints();
  const [increases, spans] = [ofSeries.doubles(), ofSeries.doubles()];
  const table = growing();
  const [counts, nans, sums] = [table.doubles(), table.doubles(), table.doubles()];
  const [firstSeconds, lastSeconds] = [table.doubles(), table.doubles()];
  const [firstNanos, lastNanos] = [table.ints(), table.ints()];
  const [resets, wraps, timed] = [table.ints(), table.ints(), table.bytes()];
  const [rateMins, rateMaxs] = [table.doubles(), table.doubles()];
  const mins: (number | bigint | undefined)[] = [];
  const maxs: (number | bigint | undefined)[] = [];
  const lasts: (number | bigint | undefined)[] = [];
  const keyOf = (labels: Labels, keys: readonly GroupKey[]) => JSON.stringify(keys.map((key) => labels[key]));

  function newGroup(key: string): number {
    const group = table.add();
    groups.set(key, group);
    rates.add();
    rateMins.at[group] = Number.POSITIVE_INFINITY;
    rateMaxs.at[group] = Number.NEGATIVE_INFINITY;
    mins.push(undefined);
    maxs.push(undefined);
    lasts.push(undefined);
    return group;
  }

  function series(labels: Labels, limits?: Limits): number {
    const key = keyOf(labels, groupKeys);
    const known = all.get(key);
    if (known !== undefined) return known;
    if (all.size >= limit) {
      if (extra.size < limit) extra.add(key);
      return -1;
    }
    const created = meters.add(limits);
    ofSeries.add();
    const groupKey = groups === all ? key : keyOf(labels, by);
    groupOf.at[created] = (groups === all ? undefined : groups.get(groupKey)) ?? newGroup(groupKey);
    all.set(key, created);
    return created;
  }

  function add(series: number, sample: Sample): void {
    const group = groupOf.at[series] ?? 0;
    const value = exactValue(sample);
    counts.at[group] = (counts.at[group] ?? 0) + 1;
    if (sample.timed) addTime(group, sample, value);
    else if (timed.at[group] === 0) lasts[group] = value;
    addStep(series, group, sample);
    if (sample.kind === kind.gauge && Number.isNaN(value)) {
      nans.at[group] = (nans.at[group] ?? 0) + 1;
      return;
    }
    sums.at[group] = (sums.at[group] ?? 0) + Number(value);
    const [min, max] = [mins[group], maxs[group]];
    if (min === undefined || value < min) mins[group] = value;
    if (max === undefined || value > max) maxs[group] = value;
  }

  function addTime(group: number, { seconds, nanos }: Sample, value: number | bigint): void {
    const isNew = timed.at[group] === 0;
    timed.at[group] = 1;
    const first = seconds - (firstSeconds.at[group] ?? 0) || nanos - (firstNanos.at[group] ?? 0);
    if (isNew || first < 0) {
      firstSeconds.at[group] = seconds;
      firstNanos.at[group] = nanos;
    }
    const last = seconds - (lastSeconds.at[group] ?? 0) || nanos - (lastNanos.at[group] ?? 0);
    if (isNew || last >= 0) {
      lastSeconds.at[group] = seconds;
      lastNanos.at[group] = nanos;
      lasts[group] = value;
    }
  }

  function addStep(series: number, group: number, sample: Sample): void {
    const step = meters.step(series, sample);
    if (step === undefined) return;
    if (step.event === change.reset) resets.at[group] = (resets.at[group] ?? 0) + 1;
    if (step.event === change.wrap) wraps.at[group] = (wraps.at[group] ?? 0) + 1;
    if (Number.isNaN(step.increase)) return;
    increases.at[series] = (increases.at[series] ?? 0) + step.increase;
    spans.at[series] = (spans.at[series] ?? 0) + step.span;
    const rate = rateOf(step);
    if (Number.isNaN(rate)) return;
    if (rate < (rateMins.at[group] ?? 0)) rateMins.at[group] = rate;
    if (rate > (rateMaxs.at[group] ?? 0)) rateMaxs.at[group] = rate;
    rates.push(group, rate);
  }

  /** The sum of the rates of the series of each group; NaN without any. */
  function groupRates(): Float64Array {
    const summed = new Float64Array(table.size()).fill(Number.NaN);
    for (let series = 0; series < ofSeries.size(); series += 1) {
      const span = spans.at[series] ?? 0;
      const group = groupOf.at[series] ?? 0;
      if (span > 0) summed[group] = (summed[group] || 0) + (increases.at[series] ?? 0) / span;
    }
    return summed;
  }

  let summed: Float64Array | undefined;

  function group(key: string): Group {
    const group = groups.get(key) ?? 0;
    summed ??= groupRates();
    const values = JSON.parse(key) as string[];
    const known = (counts.at[group] ?? 0) - (nans.at[group] ?? 0);
    const rate = summed[group] ?? Number.NaN;
    const finite = (value: number | undefined) => (Number.isFinite(value) ? value : undefined);
    const isTimed = timed.at[group] === 1;
    return {
      labels: Object.fromEntries(by.map((name, index) => [name, values[index] ?? ""])),
      count: counts.at[group] ?? 0,
      nan: nans.at[group] ?? 0,
      mean: known > 0 ? (sums.at[group] ?? 0) / known : undefined,
      min: mins[group],
      max: maxs[group],
      last: lasts[group],
      firstTime: isTimed ? { seconds: firstSeconds.at[group] ?? 0, nanos: firstNanos.at[group] ?? 0 } : undefined,
      lastTime: isTimed ? { seconds: lastSeconds.at[group] ?? 0, nanos: lastNanos.at[group] ?? 0 } : undefined,
      rate: finite(rate),
      rateMin: finite(rateMins.at[group]),
      rateMax: finite(rateMaxs.at[group]),
      rateP95: rates.of(group, 0.95),
      resets: resets.at[group] ?? 0,
      wraps: wraps.at[group] ?? 0,
    };
  }

  const keys = () => [...groups.keys()].sort();
  return { series, add, keys, group, leftOut: () => extra.size };
}
