import { kind } from "../decode/fields.ts";
import { aheadWarning, isAhead } from "./ahead.ts";
import { type Limits, type Meters, rateOf } from "./meters.ts";
import type { Sample } from "./samples.ts";
import { addTo, type LargeSums, meanOf } from "./sums.ts";

/** A point of a curve: seconds since 1970 and a value; NaN breaks the line. A rate counts for the seconds that it is of. */
export interface Point {
  readonly time: number;
  readonly value: number;
  readonly weight?: number;
}

/** The curve of a data source: the values of a gauge, or the rate per second of a counter. */
export interface Curve extends CurveOptions {
  /** The number of its series in `Meters`. */
  readonly meter: number;
  points: Point[];
  /** Seconds between readings, 0 if unknown. */
  interval: number;
  isSorted: boolean;
  isThinned: boolean;
  lastTime: number;
  /** Statistics of all values, before any are left out. */
  readonly summary: Summary;
  /** The values that are ahead of the clock, and their number. */
  ahead?: Curve;
  aheadCount: number;
}

/** Statistics of the values of a curve; NaN without any. `firstTime` and `lastTime` are those of `first` and `last`. */
export interface Summary {
  count: number;
  weight: number;
  sum: number;
  readonly large: LargeSums;
  min: number;
  max: number;
  first: number;
  last: number;
  firstTime: number;
  lastTime: number;
}

/** Describes a new curve. */
export interface CurveOptions {
  readonly name: string;
  readonly unit: string;
  readonly kind: string;
  readonly limits: Limits | undefined;
}

/** Creates an empty curve. */
export function createCurve({ name, unit, kind, limits }: CurveOptions, meters: Meters): Curve {
  return {
    name,
    unit,
    kind,
    limits,
    meter: meters.add(limits),
    points: [],
    interval: 0,
    isSorted: true,
    isThinned: false,
    lastTime: Number.NEGATIVE_INFINITY,
    summary: emptySummary(),
    aheadCount: 0,
  };
}

/** Adds a value as `addPoint` does; one that is ahead of `now` to a curve beside, which does not stretch this one. */
export function addPointUpTo(now: number, curve: Curve, meters: Meters, sample: Sample, limit: number): void {
  let target = curve;
  if (sample.timed && isAhead(sample.seconds, curve.interval, now)) {
    target = curve.ahead ??= { ...createCurve(curve, meters), interval: curve.interval };
    curve.aheadCount += 1;
  }
  addPoint(target, meters, sample, limit);
}

/**
 * Those with the curves up to now, and a warning of the values that are left out. If all values are ahead of the clock, it is
 * the clock that may be wrong, and none is left out.
 */
export function upToNow<T extends { readonly curve: Curve }>(
  all: readonly T[],
): { readonly drawn: readonly T[]; readonly warning?: string } {
  if (all.every(({ curve }) => curve.points.length === 0))
    return { drawn: all.map((one) => ({ ...one, curve: one.curve.ahead ?? one.curve })) };
  const leftOut = all.reduce((sum, { curve }) => sum + curve.aheadCount, 0);
  if (leftOut === 0) return { drawn: all };
  return { drawn: all, warning: aheadWarning(leftOut, "value") };
}

/** The statistics of no values. */
export function emptySummary(): Summary {
  return {
    count: 0,
    weight: 0,
    sum: 0,
    large: [],
    min: Number.NaN,
    max: Number.NaN,
    first: Number.NaN,
    last: Number.NaN,
    firstTime: Number.NaN,
    lastTime: Number.NaN,
  };
}

/**
 * Adds a value. Ignores values without a time; a counter needs two values for a point, and its line breaks at a reset.
 * With more than `limit` points, leaves out those between the extremes.
 */
export function addPoint(curve: Curve, meters: Meters, sample: Sample, limit: number): void {
  if (!sample.timed) return;
  const time = sample.seconds + sample.nanos / 1e9;
  const read = gaugeOrRate(meters, curve.meter, sample);
  if (read === undefined) return;
  const point = { time, ...read };
  if (!Number.isFinite(point.value)) point.value = Number.NaN;
  else summarize(curve.summary, point);
  if (time < curve.lastTime) curve.isSorted = false;
  else if (isGap(curve.interval, time - curve.lastTime)) {
    curve.points.push({ time: curve.lastTime + curve.interval, value: Number.NaN });
  }
  curve.lastTime = Math.max(curve.lastTime, time);
  curve.points.push(point);
  if (curve.points.length > 2 * limit) {
    finish(curve);
    curve.points = reduce(curve.points, limit);
    curve.isThinned = true;
  }
}

/** Adds a value to statistics. */
export function summarize(summary: Summary, { value, time, weight = 1 }: Point): void {
  summary.count += 1;
  summary.weight += weight;
  summary.sum = addTo(summary.sum, value * weight, summary.large);
  // The first comparison is with NaN.
  if (!(summary.min <= value)) summary.min = value;
  if (!(summary.max >= value)) summary.max = value;
  if (!(summary.firstTime <= time)) {
    summary.first = value;
    summary.firstTime = time;
  }
  if (!(summary.lastTime > time)) {
    summary.last = value;
    summary.lastTime = time;
  }
}

/** The mean of the values; of a counter its increase per second of all its time, also where readings are missing. */
export function averageOf(summary: Summary): number {
  return meanOf({ ...summary, count: summary.weight }, summary.large);
}

/** The value of a gauge, or the rate of a counter: NaN after a reset, undefined without a reading before it. */
export function gaugeOrRate(meters: Meters, meter: number, sample: Sample) {
  if (sample.kind === kind.gauge) return { value: sample.gauge, weight: 1 };
  const step = meters.step(meter, sample);
  return step && { value: rateOf(step), weight: step.span };
}

/** Whether more than two readings are missing in this time, with some room for late ones. Both are in seconds. */
export function isGap(interval: number, span: number): boolean {
  return interval > 0 && Number.isFinite(span) && span > interval * 3.5;
}

/** Sorts the points, and breaks the line where more than two readings are missing. */
export function finish(curve: Curve): void {
  if (curve.isThinned || (curve.isSorted && curve.interval > 0)) {
    if (!curve.isSorted) curve.points.sort((one, other) => one.time - other.time);
    curve.isSorted = true;
    return;
  }
  const sorted = curve.points.toSorted((one, other) => one.time - other.time);
  const spans = sorted.map(({ time }, index) => time - (sorted[index - 1]?.time ?? time)).filter((span) => span > 0);
  const usual = spans.toSorted((one, other) => one - other)[spans.length >> 1] ?? 0;
  const interval = curve.interval || usual;
  curve.points = sorted.flatMap((point, index) => {
    const before = sorted[index - 1];
    if (before === undefined || !isGap(interval, point.time - before.time)) return [point];
    return [{ time: before.time + interval, value: Number.NaN }, point];
  });
  curve.isSorted = true;
}

/**
 * Leaves out points until there are at most `limit`, but never an extreme: of each four in a row, the minimum and the
 * maximum stay. Breaks stay too, so that a line with many breaks keeps more points.
 */
export function thin(points: readonly Point[], limit: number): Point[] {
  let kept = [...points];
  while (kept.length > limit) {
    const next: Point[] = [];
    for (let at = 0; at < kept.length; ) {
      const four = kept.slice(at, at + 4);
      const broken = four.findIndex(({ value }) => Number.isNaN(value));
      const run = broken < 0 ? four : four.slice(0, broken);
      next.push(...extremes(run), ...four.slice(run.length, run.length + 1));
      at += Math.max(1, run.length + (broken < 0 ? 0 : 1));
    }
    if (next.length === kept.length) break;
    kept = next;
  }
  return kept;
}

/** `thin`, and if there are too many breaks, without them: values matter more. */
export function reduce(points: readonly Point[], limit: number): Point[] {
  const kept = thin(points, limit);
  if (kept.length <= limit) return kept;
  return thin(
    kept.filter(({ value }) => !Number.isNaN(value)),
    limit,
  );
}

function extremes(run: readonly Point[]): readonly Point[] {
  const [first] = run;
  if (first === undefined || run.length < 3) return run;
  let [least, greatest] = [first, first];
  for (const point of run) {
    if (point.value < least.value) least = point;
    if (point.value > greatest.value) greatest = point;
  }
  if (least === greatest) return [first];
  return least.time <= greatest.time ? [least, greatest] : [greatest, least];
}

/** The range of times and values; undefined without values. */
export function rangeOf(points: readonly Point[]) {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [low, high] = [from, to];
  for (const { time, value } of points) {
    if (Number.isNaN(value)) continue;
    from = Math.min(from, time);
    to = Math.max(to, time);
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return from > to ? undefined : { from, to, low, high };
}
