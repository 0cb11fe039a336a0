import { type Curve, emptySummary, type Point, summarize } from "../series/curve.ts";

/** A time range in seconds since 1970, without its end, that is compared with the one `shift` seconds before. */
export interface Compared {
  readonly from: number;
  readonly to: number;
  readonly shift: number;
}

/** The part of a sorted curve in a time range, and the part before it, moved there under another name. */
export function compare(curve: Curve, { from, to, shift }: Compared, earlierName: string): readonly [Curve, Curve] {
  const between = (start: number, end: number) => curve.points.filter(({ time }) => time >= start && time < end);
  const earlier = between(from - shift, to - shift).map((point) => ({ ...point, time: point.time + shift }));
  return [partOf(curve, curve.name, between(from, to)), partOf(curve, earlierName, earlier)];
}

function partOf(curve: Curve, name: string, points: Point[]): Curve {
  const summary = emptySummary();
  for (const point of points) if (!Number.isNaN(point.value)) summarize(summary, point);
  return { ...curve, name, points, summary };
}

/** Leaves out the points before the last two spans of `shift` seconds. */
export function forget(curve: Curve, shift: number): void {
  const oldest = curve.lastTime - 2 * shift;
  curve.points = curve.points.filter(({ time }) => time >= oldest);
}
