import type { SourceKind } from "../reading/values.ts";
import { type Instant, stepOf } from "../stat/rate.ts";

/** A point of a curve: seconds since 1970, and a value; NaN interrupts the curve. */
export interface Point {
  readonly time: number;
  readonly value: number;
}

/** What is plotted of one data source: gauges as they are, counts as their growth per second. */
export interface Curve {
  readonly name: string;
  readonly isRate: boolean;
  points: Point[];
  before: { readonly value: bigint; readonly time: number } | undefined;
}

// Far more than any screen has columns; beyond it, neighbours are averaged.
const maxPoints = 65_536;

/** A curve without points. */
export function createCurve(name: string, kind: string): Curve {
  return { name, isRate: kind !== "gauge", points: [], before: undefined };
}

/** Adds a value. One without a time cannot be plotted, and a count only from its second on. */
export function addPoint(curve: Curve, kind: SourceKind, value: number | bigint, at: Instant | undefined): void {
  if (at === undefined) return;
  const time = at.seconds + at.nanos / 1e9;
  if (typeof value === "number") push(curve, { time, value: Number.isFinite(value) ? value : Number.NaN });
  else if (kind !== "gauge") addCount(curve, kind, value, time);
}

function addCount(curve: Curve, kind: Exclude<SourceKind, "gauge">, value: bigint, time: number): void {
  const { before } = curve;
  if (before !== undefined && time <= before.time) return;
  curve.before = { value, time };
  if (before === undefined) return;
  const { change, event } = stepOf(kind, before.value, value);
  push(curve, { time, value: event === "reset" ? Number.NaN : Number(change) / (time - before.time) });
}

function push(curve: Curve, point: Point): void {
  curve.points.push(point);
  if (curve.points.length <= maxPoints) return;
  const sorted = curve.points.sort((one, other) => one.time - other.time);
  curve.points = sorted.flatMap((one, index) => {
    const other = sorted[index + 1];
    if (index % 2 === 1) return [];
    return [other === undefined ? one : { time: (one.time + other.time) / 2, value: (one.value + other.value) / 2 }];
  });
}

/** The span of times and values of curves; undefined when there is nothing to plot. */
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
