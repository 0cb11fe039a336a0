import { averageOf, type Curve, type Point, rangeOf } from "../series/curve.ts";
import { type Axis, timeAxis, valueAxis, valueLabel } from "./axis.ts";

/** A line of a chart: the points to draw, and the curve that they are made from. */
export interface Line {
  readonly curve: Curve;
  readonly points: readonly Point[];
}

/** Curves with shared axes. */
export interface Chart {
  readonly lines: readonly Line[];
  readonly values: Axis;
  readonly times: Axis;
}

/** How to lay out a chart. */
export interface ChartOptions {
  readonly stack: boolean;
  readonly utc: boolean;
  /** The number of ticks of the value axis and the time axis. */
  readonly ticks: { readonly values: number; readonly times: number };
  /** How many positions the time axis has. */
  readonly positions: number;
}

/** Lays out curves with one value axis and one time axis; undefined if they have no values. */
export function chartOf(curves: readonly Curve[], { stack, utc, ticks, positions }: ChartOptions): Chart | undefined {
  const range = rangeOf(curves.flatMap(({ points }) => points));
  if (range === undefined) return undefined;
  const times = timeAxis(range.from, range.to, ticks.times, utc);
  const lines = stack ? stacked(curves, times, positions) : curves.map((curve) => ({ curve, points: curve.points }));
  const drawn = stack ? rangeOf(lines.flatMap(({ points }) => points)) : range;
  const low = stack ? Math.min(0, drawn?.low ?? 0) : range.low;
  return { lines, times, values: valueAxis(low, drawn?.high ?? range.high, ticks.values) };
}

/** Adds each curve to those before it. Where a curve has no value it adds nothing; where all have none, lines break. */
function stacked(curves: readonly Curve[], { from, to }: Axis, positions: number): Line[] {
  const times = Array.from({ length: positions }, (_, index) => from + ((to - from) * index) / (positions - 1));
  const values = curves.map((curve) => valuesAt(curve, times));
  const sums = times.map(() => 0);
  return curves.map((curve, row) => {
    const points = times.map((time, index) => {
      const value = values[row]?.[index] ?? Number.NaN;
      if (!Number.isNaN(value)) sums[index] = (sums[index] ?? 0) + value;
      const isEmpty = values.every((others) => Number.isNaN(others[index] ?? Number.NaN));
      return { time, value: isEmpty ? Number.NaN : (sums[index] ?? 0) };
    });
    return { curve, points };
  });
}

/** The values of a curve at these ascending times; NaN in its breaks, and more than two intervals outside of it. */
function valuesAt({ points, interval }: Curve, times: readonly number[]): number[] {
  let at = 0;
  const [first, last] = [points[0], points.at(-1)];
  return times.map((time) => {
    while (at + 1 < points.length && (points[at + 1]?.time ?? 0) <= time) at += 1;
    const [before, after] = [points[at], points[at + 1]];
    if (before === undefined || first === undefined || last === undefined) return Number.NaN;
    if (time <= first.time) return first.time - time <= 2 * interval ? first.value : Number.NaN;
    if (after === undefined) return time - last.time <= 2 * interval ? last.value : Number.NaN;
    return before.value + ((after.value - before.value) * (time - before.time)) / (after.time - before.time);
  });
}

/** The columns of a legend. */
export const legendHeads = ["min", "average", "max", "first", "last"] as const;

/** The texts of a legend: min, average, max, first and last of all values, with the unit. */
export function legendOf({ summary, unit }: Curve): readonly string[] {
  const { min, max, first, last } = summary;
  return [min, averageOf(summary), max, first, last].map((value) =>
    Number.isNaN(value) ? "-" : `${shortValue(value)}${unit}`,
  );
}

/** A number with four digits: `0.02`, `12.5`, `1.234k`. */
export function shortValue(value: number): string {
  const four = Number(value.toPrecision(4));
  // The largest numbers cannot be rounded up.
  const rounded = Number.isFinite(four) ? four : value;
  const size = Math.abs(rounded);
  return size < 1000 ? String(rounded) : valueLabel(rounded, 10 ** (Math.floor(Math.log10(size) + 1e-12) - 3));
}
