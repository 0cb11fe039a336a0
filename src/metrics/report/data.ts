import { averageOf, type Curve, finish, type Point, reduce } from "../series/curve.ts";
import { varint } from "../wire/fields.ts";

/** A line of the report: its place in the tree of hosts, plugins and types. */
export interface ReportLine {
  readonly curve: Curve;
  readonly host: string;
  readonly plugin: string;
  readonly type: string;
  /** What tells it from other lines of the type. */
  readonly label: string;
}

// Bytes of all points, before base64: with the names and the page, 2,000 series stay below 5 MB.
const budget = 3_200_000;
const bytesPerPoint = 6;
const most = 16_384;
const least = 32;

/** The number of points for each of so many lines. */
export function pointLimit(lines: number): number {
  return Math.max(least, Math.min(most, Math.floor(budget / bytesPerPoint / Math.max(1, lines))));
}

/** Encodes the lines for the page, with at most `pointLimit` points each. Points between extremes are left out. */
export function reportData(lines: readonly ReportLine[]) {
  const limit = pointLimit(lines.length);
  const thinned = lines.map((line) => {
    finish(line.curve);
    return { line, points: reduce(line.curve.points, limit) };
  });
  const times = thinned.flatMap(({ points }) => [points[0]?.time ?? [], points.at(-1)?.time ?? []].flat());
  const series = thinned.map(({ line: { curve, host, plugin, type, label }, points }) => {
    const { min, max, last } = curve.summary;
    const statistics = [min, averageOf(curve.summary), max, last].map((value) =>
      Number.isNaN(value) ? null : Number(value.toPrecision(6)),
    );
    return { h: host, p: plugin, t: type, l: label, u: curve.unit, s: statistics, ...encoded(points) };
  });
  /** JSON that is safe within a script element. */
  const json = JSON.stringify({ series });
  return {
    json: json.replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
    shown: thinned.reduce((total, { points }) => total + points.filter(({ value }) => !Number.isNaN(value)).length, 0),
    total: lines.reduce((total, { curve }) => total + curve.summary.count, 0),
    from: times.length === 0 ? 0 : Math.min(...times),
    to: times.length === 0 ? 0 : Math.max(...times),
  };
}

/** A round number of seconds, at least a millisecond, of which a span has at most a million. */
function tickOf(span: number): number {
  const least = Math.max(0.001, span / 2 ** 20);
  const decade = 10 ** Math.floor(Math.log10(least));
  return decade * ([1, 2, 5].find((step) => step * decade >= least) ?? 10);
}

/**
 * `f` is the first time, rounded down to a tick, and `k` the seconds of a tick. `d` is Base64 of the number of points,
 * the differences of their times in ticks as varints, and their values as floats.
 */
function encoded(points: readonly Point[]) {
  const first = points[0]?.time ?? 0;
  const tick = tickOf((points.at(-1)?.time ?? 0) - first);
  const from = Math.floor(first / tick) * tick;
  const head = varint(points.length);
  let ticks = 0;
  for (const { time } of points) {
    const now = Math.round((time - from) / tick);
    varint(now - ticks, head);
    ticks = now;
  }
  const values = new DataView(new ArrayBuffer(points.length * 4));
  points.forEach(({ value }, index) => {
    values.setFloat32(index * 4, value, true);
  });
  const bytes = Buffer.concat([Uint8Array.from(head), new Uint8Array(values.buffer)]);
  return { f: from, k: tick, d: bytes.toString("base64") };
}
