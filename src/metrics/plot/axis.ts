/** The range of an axis and its ticks. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly marks: readonly { readonly at: number; readonly label: string }[];
}

// The steps of a larger axis would overflow.
const largest = 1e300;

/** Where a value is on an axis, from 0 to 1; one outside of it is at its end. */
export function placeOn(value: number, { from, to }: Axis): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

/** Creates a value axis that includes `least` and `greatest`, up to 1e300, with about `count` round ticks. */
export function valueAxis(least: number, greatest: number, count: number): Axis {
  const [low, high] = [Math.max(-largest, Math.min(largest, least)), Math.max(-largest, Math.min(largest, greatest))];
  const flat = high - low <= Math.abs(high) * 1e-12;
  const [bottom, top] = flat ? around(low) : [low, high];
  const step = roundStep((top - bottom) / count);
  const first = Math.floor(bottom / step);
  const last = Math.max(first + 1, Math.ceil(top / step));
  const marks = Array.from({ length: last - first + 1 }, (_, index) => {
    const at = (first + index) * step;
    return { at, label: valueLabel(at, step) };
  });
  return { from: first * step, to: last * step, marks };
}

/** A range around the value of a flat line; 0 to 1 for a line at zero. */
function around(value: number): readonly [number, number] {
  return value === 0 ? [0, 1] : [value - Math.abs(value) / 2, value + Math.abs(value) / 2];
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

const prefixes = ["", "k", "M", "G", "T", "P", "E"];

/** Formats a value as a label: `1.5k`, `200M`, `0.02`. */
export function valueLabel(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step);
  const index = Math.min(prefixes.length - 1, Math.max(0, Math.floor(Math.log10(size) / 3 + 1e-9)));
  const scale = 1000 ** index;
  const scaled = value / scale;
  if (Math.abs(scaled) >= 1000 || (scaled !== 0 && step / scale < 1e-4)) return value.toExponential(1);
  const decimals = Math.max(0, -Math.floor(Math.log10(step / scale) + 1e-9));
  return `${Number(scaled.toFixed(decimals))}${scaled === 0 ? "" : prefixes[index]}`;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** Creates a time axis with at most `count` ticks at round times, local or UTC. */
export function timeAxis(from: number, to: number, count: number, utc: boolean): Axis {
  // A second, or as much as makes a difference to a very large time.
  const half = Math.max(0.5, Math.abs(from) * 1e-12);
  const [begin, end] = to > from ? [from, to] : [from - half, from + half];
  const rough = (end - begin) / count;
  const step = steps.find((candidate) => candidate >= rough) ?? Math.ceil(rough / 86_400) * 86_400;
  // There is no offset for a time that no date has.
  const offset = utc || step < 1800 ? 0 : new Date(begin * 1000).getTimezoneOffset() * 60 || 0;
  const first = Math.ceil((begin - offset) / step) * step + offset;
  // Counted, because a step may be too small to change a very large time.
  const marks = Array.from({ length: Math.max(0, Math.floor((end - first) / step) + 1) }, (_, index) => {
    const at = first + index * step;
    return { at, label: timeLabel(at, step, end - begin, utc) };
  });
  return { from: begin, to: end, marks };
}

/** A time as `2026-01-31T08:00:00`, local or UTC; undefined for one that no date has. */
function shownTime(at: number, utc: boolean): string | undefined {
  const date = new Date(at * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  return new Date(date.getTime() - (utc ? 0 : date.getTimezoneOffset() * 60_000)).toISOString().slice(0, 19);
}

function timeLabel(at: number, step: number, span: number, utc: boolean): string {
  const text = shownTime(at, utc);
  if (text === undefined) return `@${at}s`;
  const [day, clock] = [text.slice(0, 10), text.slice(11, step < 60 ? 19 : 16)];
  if (step >= 86_400) return day;
  return span > 86_400 ? `${day.slice(5)} ${clock}` : clock;
}

/** The title of a time axis: its dates and time zone. */
export function timeTitle({ from, to }: Axis, utc: boolean): string {
  const day = (at: number) => shownTime(at, utc)?.slice(0, 10) ?? `@${Math.floor(at)}s`;
  const days = day(from) === day(to) ? day(from) : `${day(from)} to ${day(to)}`;
  return `${days} ${utc ? "UTC" : "local time"}`;
}
