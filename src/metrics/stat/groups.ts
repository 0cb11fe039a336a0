import { kind } from "../decode/fields.ts";
import { type GroupKey, groupKeys, type Labels } from "../reading/identity.ts";
import { growing } from "../series/columns.ts";
import { change, createMeters, type Limits, rateOf } from "../series/meters.ts";
import { nearestDouble, type Sample } from "../series/samples.ts";
import { addTo, type LargeSums, meanOf } from "../series/sums.ts";
import { exactColumn } from "./exact-column.ts";
import { createLabelTable } from "./label-table.ts";
import { createQuantiles } from "./quantiles.ts";

/** A time in seconds and nanoseconds since 1970. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/**
 * The statistics of a group, in the order in which they are printed. Those of values are undefined without values, those of
 * rates without rates. `rate` is the increase per second: the sum of the rates of the series, each over its own time range.
 * `rate_min`, `rate_max` and `rate_p95` are of the rates between readings; several series, whose sum has no such steps, have none.
 */
export const statistics = [
  ...(["count", "nan", "first_time", "last_time", "min", "mean", "max", "last"] as const),
  ...(["rate_min", "rate", "rate_max", "rate_p95", "resets", "wraps"] as const),
];
export type Statistic = (typeof statistics)[number];

/** A group. */
export interface Group {
  readonly labels: Partial<Labels>;
  readonly statistics: Readonly<Record<Statistic, number | bigint | Instant | undefined>>;
}
/** Maximum number of series, which limits memory to about 1 GB. */
export const maxSeries = 2_000_000;

/**
 * Creates an empty table of series and their groups by `by`. `sorted` has the numbers of the groups in the order of their labels;
 * `late` counts late readings, which rates do not have, and `leftOut` the series that were too many.
 */
export function createSeriesTable(by: readonly GroupKey[], limit = maxSeries) {
  const all = createLabelTable(groupKeys.length);
  const groups = by === groupKeys ? all : createLabelTable(by.length);
  const extra = createLabelTable(groupKeys.length);
  const meters = createMeters();
  const rates = createQuantiles();
  // Numbers in columns: objects for each of a million series would not fit into memory.
  const ofSeries = growing();
  const groupOf = ofSeries.ints();
  const [increases, spans] = [ofSeries.doubles(), ofSeries.doubles()];
  const table = growing();
  const [counts, nans, sums] = [table.doubles(), table.doubles(), table.doubles()];
  const large: LargeSums = [];
  const [firstSeconds, lastSeconds] = [table.doubles(), table.doubles()];
  const [firstNanos, lastNanos] = [table.ints(), table.ints()];
  const [resets, wraps, timed] = [table.ints(), table.ints(), table.bytes()];
  const [rateMins, rateMaxs] = [table.doubles(), table.doubles()];
  const [mins, maxs, lasts] = [exactColumn(table), exactColumn(table), exactColumn(table)];

  function newGroup(): number {
    const group = table.add();
    rates.add();
    rateMins.at[group] = Number.POSITIVE_INFINITY;
    rateMaxs.at[group] = Number.NEGATIVE_INFINITY;
    return group;
  }

  /** The number of the series with these labels; -1 if there are too many. */
  function series(labels: Labels, limits?: Limits): number {
    const texts = groupKeys.map((key) => labels[key]);
    const known = all.find(texts);
    if (known >= 0) return known;
    if (all.size() >= limit) {
      if (extra.size() < limit && extra.find(texts) < 0) extra.add(texts);
      return -1;
    }
    meters.add(limits);
    ofSeries.add();
    const created = all.add(texts);
    groupOf.at[created] = groups === all ? newGroup() : groupWith(by.map((key) => labels[key]));
    return created;
  }

  function groupWith(texts: readonly string[]): number {
    const known = groups.find(texts);
    if (known >= 0) return known;
    groups.add(texts);
    return newGroup();
  }

  /** Adds a value. NaN is only counted; a value without a time does not affect rates. */
  function add(series: number, sample: Sample): void {
    const group = groupOf.at[series] ?? 0;
    counts.at[group] = (counts.at[group] ?? 0) + 1;
    if (sample.timed) addTime(group, sample);
    else if (timed.at[group] === 0) lasts.set(group, sample);
    addStep(series, group, sample);
    if (sample.kind === kind.gauge && Number.isNaN(sample.gauge)) {
      nans.at[group] = (nans.at[group] ?? 0) + 1;
      return;
    }
    sums.at[group] = addTo(sums.at[group] ?? 0, nearestDouble(sample), large, group);
    if (mins.isBelow(group, sample)) mins.set(group, sample);
    if (maxs.isAbove(group, sample)) maxs.set(group, sample);
  }

  function addTime(group: number, sample: Sample): void {
    const { seconds, nanos } = sample;
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
      lasts.set(group, sample);
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

  /** For each group, the sum of the rates of its series, NaN without any, and the number of these. */
  function groupRates() {
    const sums = new Float64Array(table.size()).fill(Number.NaN);
    const numbers = new Uint32Array(table.size());
    for (let series = 0; series < ofSeries.size(); series += 1) {
      const span = spans.at[series] ?? 0;
      const group = groupOf.at[series] ?? 0;
      if (span <= 0) continue;
      sums[group] = (sums[group] || 0) + (increases.at[series] ?? 0) / span;
      numbers[group] = (numbers[group] ?? 0) + 1;
    }
    return { sums, numbers };
  }

  let summedRates: ReturnType<typeof groupRates> | undefined;

  function group(group: number): Group {
    summedRates ??= groupRates();
    const labels: { [K in GroupKey]?: string } = {};
    groups.labels(group).forEach((text, index) => {
      const key = by[index];
      if (key !== undefined) labels[key] = text;
    });
    const known = (counts.at[group] ?? 0) - (nans.at[group] ?? 0);
    const [min, max] = [mins.get(group), maxs.get(group)];
    const summed = { count: known, sum: sums.at[group] ?? 0, min: Number(min), max: Number(max) };
    const finite = (value: number | undefined) => (Number.isFinite(value) ? value : undefined);
    const ofOne = (value: number | undefined) => (summedRates?.numbers[group] === 1 ? finite(value) : undefined);
    const isTimed = timed.at[group] === 1;
    const statistics = {
      count: counts.at[group] ?? 0,
      nan: nans.at[group] ?? 0,
      first_time: isTimed ? { seconds: firstSeconds.at[group] ?? 0, nanos: firstNanos.at[group] ?? 0 } : undefined,
      last_time: isTimed ? { seconds: lastSeconds.at[group] ?? 0, nanos: lastNanos.at[group] ?? 0 } : undefined,
      min,
      mean: known > 0 ? meanOf(summed, large, group) : undefined,
      max,
      last: lasts.get(group),
      rate_min: ofOne(rateMins.at[group]),
      rate: finite(summedRates.sums[group]),
      rate_max: ofOne(rateMaxs.at[group]),
      rate_p95: ofOne(rates.of(group, 0.95)),
      resets: resets.at[group] ?? 0,
      wraps: wraps.at[group] ?? 0,
    };
    return { labels, statistics };
  }

  /** The hosts of all series. */
  function* hosts() {
    for (let series = 0; series < all.size(); series += 1) yield all.labels(series)[0] ?? "";
  }
  return { series, add, sorted: groups.sorted, group, hosts, late: meters.late, leftOut: extra.size };
}
