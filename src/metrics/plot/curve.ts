import type { SourceKind } from "../reading/values.ts";
import { type Instant, stepOf } from "../stat/rate.ts";

/** A point of a curve: seconds since 1970 and a value; NaN breaks the line. */
export interface Point {
  readonly time: number;
  readonly value: number;
}

/** The curve of a data source: the values of a gauge, or the rate per second of a counter. */
export interface Curve {
  readonly name: string;
  readonly isRate: boolean;
  points: Point[];
  previous: { readonly value: bigint; readonly time: number } | undefined;
}

// Far more than the width of a screen; above this, neighboring points are averaged.
const maxPoints = 65_536;

/** Creates an empty curve. */
export function createCurve(name: string, kind: string): Curve {
  return { name, isRate: kind !== "gauge", points: [], previous: undefined };
}

/** Adds a value. Ignores values without a time; a counter needs two values for a point. */
export function addPoint(curve: Curve, kind: SourceKind, value: number | bigint, at: Instant | undefined): void {
  if (at === undefined) return;
  const time = at.seconds + at.nanos / 1e9;
  if (typeof value === "number") push(curve, { time, value: Number.isFinite(value) ? value : Number.NaN });
  else if (kind !== "gauge") addCount(curve, kind, value, time);
}

function addCount(curve: Curve, kind: Exclude<SourceKind, "gauge">, value: bigint, time: number): void {
  const { previous } = curve;
  if (previous !== undefined && time <= previous.time) return;
  curve.previous = { value, time };
  if (previous === undefined) return;
  const { change, event } = stepOf(kind, previous.value, value);
  push(curve, { time, value: event === "reset" ? Number.NaN : Number(change) / (time - previous.time) });
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

/** The range of times and values; undefined if there are no points. */
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
