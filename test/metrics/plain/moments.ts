import { Unrepresentable } from "../../../src/metrics/formats/printer.ts";
import type { Duration } from "../../../src/metrics/generated/google/protobuf/duration.ts";
import type { Timestamp } from "../../../src/metrics/generated/google/protobuf/timestamp.ts";

// The range of the canonical JSON of protobuf. Times outside it are printed as seconds and nanoseconds.
const minSecond = -62_135_596_800;
const maxSecond = 253_402_300_799;
const maxDuration = 315_576_000_000;
const maxNanos = 999_999_999;

/** RFC 3339 in UTC with 0, 3, 6 or 9 decimals; undefined if the time is invalid or outside the years 1 to 9999. */
export function timestampText({ seconds, nanos }: Timestamp): string | undefined {
  const whole = seconds.toNumber();
  if (whole < minSecond || whole > maxSecond || nanos < 0 || nanos > maxNanos) return undefined;
  const date = new Date(whole * 1000).toISOString();
  return `${date.slice(0, 19)}${fractionText(nanos)}Z`;
}

/** Seconds with 0, 3, 6 or 9 decimals and an `s`; undefined if out of range or if the signs of the parts differ. */
export function durationText({ seconds, nanos }: Duration): string | undefined {
  const whole = seconds.toNumber();
  const size = Math.abs(nanos);
  if (Math.abs(whole) > maxDuration || size > maxNanos || whole * nanos < 0) return undefined;
  const sign = whole < 0 || nanos < 0 ? "-" : "";
  return `${sign}${Math.abs(whole)}${fractionText(size)}s`;
}

/** A fraction as `.250`, `.000005` or `.123456789`; empty for 0. */
export function fractionText(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  if (nanos % 1_000_000 === 0) return `.${digits.slice(0, 3)}`;
  return nanos % 1000 === 0 ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

/** Seconds and nanoseconds of a time or duration that is out of range: `@1700000000000s`, `@10s-5ns`. */
export function partsText({ seconds, nanos }: Timestamp | Duration): string {
  const rest = nanos === 0 ? "" : `${nanos > 0 ? "+" : ""}${nanos}ns`;
  return `@${seconds.toString()}s${rest}`;
}

/** Throws `Unrepresentable` for invalid nanoseconds and, with `bits`, for a time that as many bits of nanoseconds cannot hold. */
export function checkTime(time: Timestamp | undefined, bits?: number): void {
  if (time === undefined) return;
  if (time.nanos < 0 || time.nanos > maxNanos) throw new Unrepresentable("nanoseconds");
  const exact = nanosecondsOf(time);
  if (bits !== undefined && BigInt.asIntN(bits, exact) !== exact) throw new Unrepresentable("years");
}

/** A time since the epoch, or a duration, in nanoseconds. */
export function nanosecondsOf({ seconds, nanos }: Timestamp | Duration): bigint {
  return BigInt(seconds.toString()) * 1_000_000_000n + BigInt(nanos);
}

/** Nanoseconds as seconds with 0, 3, 6 or 9 decimals. */
export function secondsText(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const text = `${size / 1_000_000_000n}${fractionText(Number(size % 1_000_000_000n))}`;
  return nanoseconds < 0n ? `-${text}` : text;
}

/** The interval of a reading in seconds, 0 if it is not set or negative. */
export function intervalOf({ interval }: { readonly interval?: Duration | undefined }): number {
  return interval === undefined ? 0 : Math.max(0, interval.seconds.toNumber() + interval.nanos / 1e9);
}
