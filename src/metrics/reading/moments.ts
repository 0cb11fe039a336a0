import type { Moment } from "../decode/fields.ts";

/** Seconds since the epoch, or of a duration, and nanoseconds. */
export type Parts = Pick<Moment, "seconds" | "nanos">;

// The range of the canonical JSON of protobuf. Times outside it are printed as seconds and nanoseconds.
const minSecond = -62_135_596_800;
const maxSecond = 253_402_300_799;
export const maxDuration = 315_576_000_000;
export const maxNanos = 999_999_999;

const recent: ({ readonly seconds: number; readonly text: string } | undefined)[] = [];

/** Whether a time is from 1970 to 9999, so that it has no sign and four digits of a year. */
export function isUsual({ seconds, nanos }: Parts): boolean {
  return seconds >= 0 && seconds <= maxSecond && nanos >= 0 && nanos <= maxNanos;
}

/** RFC 3339 in UTC with 0, 3, 6 or 9 decimals; undefined if the time is invalid or outside the years 1 to 9999. */
export function timestampText({ seconds, nanos }: Parts): string | undefined {
  if (seconds < minSecond || seconds > maxSecond || nanos < 0 || nanos > maxNanos) return undefined;
  // Times that are printed one after the other are often in the same seconds.
  const slot = seconds & 63;
  if (recent[slot]?.seconds !== seconds)
    recent[slot] = { seconds, text: new Date(seconds * 1000).toISOString().slice(0, 19) };
  return `${recent[slot]?.text}${fractionText(nanos)}Z`;
}

/** Seconds with 0, 3, 6 or 9 decimals and an `s`; undefined if out of range or if the signs of the parts differ. */
export function durationText({ seconds, nanos }: Parts): string | undefined {
  const size = Math.abs(nanos);
  if (Math.abs(seconds) > maxDuration || size > maxNanos || seconds * nanos < 0) return undefined;
  const sign = seconds < 0 || nanos < 0 ? "-" : "";
  return `${sign}${Math.abs(seconds)}${fractionText(size)}s`;
}

/** A fraction as `.250`, `.000005` or `.123456789`; empty for 0. */
export function fractionText(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  if (nanos % 1_000_000 === 0) return `.${digits.slice(0, 3)}`;
  return nanos % 1000 === 0 ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

/** The whole seconds, exactly. */
export function exactSeconds({ high, low }: Moment): bigint {
  return (BigInt(high) << 32n) | BigInt(low >>> 0);
}

/** Seconds and nanoseconds of a time or duration that is out of range: `@1700000000000s`, `@10s-5ns`. */
export function partsText(moment: Moment): string {
  return joinedParts(exactSeconds(moment), moment.nanos);
}

/** RFC 3339 in UTC, or what `partsText` prints. */
export function instantText(time: Parts): string {
  return timestampText(time) ?? joinedParts(time.seconds, time.nanos);
}

function joinedParts(seconds: number | bigint, nanos: number): string {
  const rest = nanos === 0 ? "" : `${nanos > 0 ? "+" : ""}${nanos}ns`;
  return `@${seconds}s${rest}`;
}

/** A time since the epoch, or a duration, in nanoseconds. */
export function nanosecondsOf(moment: Moment): bigint {
  return exactSeconds(moment) * 1_000_000_000n + BigInt(moment.nanos);
}

/** Nanoseconds as seconds with 0, 3, 6 or 9 decimals. */
export function secondsText(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const text = `${size / 1_000_000_000n}${fractionText(Number(size % 1_000_000_000n))}`;
  return nanoseconds < 0n ? `-${text}` : text;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** The seconds of a span such as `90s`, `1.5h` or `2w`; undefined for any other text. */
export function spanOf(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (units[unit] ?? 1);
}

/** An interval in seconds, 0 if it is not set or negative. */
export function intervalOf(interval: Parts | undefined): number {
  return interval === undefined ? 0 : Math.max(0, interval.seconds + interval.nanos / 1e9);
}

/** A time in seconds, as the nearest double. */
export function nearestSeconds(time: Parts): number {
  return time.seconds + time.nanos / 1e9;
}

/** Whether a date such as 2026-01-31 exists: `Date` accepts the 31st of every month and moves on to the next. */
export function isDate(text: string): boolean {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return parsed !== undefined && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}
