import Long from "long";
import { isDate } from "../reading/moments.ts";

const limits = {
  uint64: [0n, 2n ** 64n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const;

/** Parses a 64-bit integer, including forms such as `1e3` and `5.0`; undefined if it is invalid. */
export function readInteger(text: string, type: keyof typeof limits): Long | undefined {
  const exact = integerText(text);
  if (exact === undefined) return undefined;
  // Most fit in a double.
  if (exact.length <= 15 && (type === "int64" || !exact.startsWith("-")))
    return Long.fromNumber(Number(exact), type === "uint64");
  const value = BigInt(exact);
  const [least, most] = limits[type];
  if (value < least || value > most) return undefined;
  return new Long(Number(value & 0xffffffffn), Number((value >> 32n) & 0xffffffffn), type === "uint64");
}

function integerText(text: string): string | undefined {
  if (/^-?\d{1,20}$/.test(text)) return text;
  const match = /^(-?)(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]\+?(\d{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", decimals = "", exponent = "0"] = match;
  const digits = decimals.padEnd(Number(exponent), "0");
  if (/[1-9]/.test(digits.slice(Number(exponent)))) return undefined;
  return `${sign}${whole}${digits.slice(0, Number(exponent))}`;
}

/** Parses a double, including NaN, Infinity and -Infinity; undefined if it is invalid or too large. */
export function readDouble(text: string): number | undefined {
  if (text === "NaN") return Number.NaN;
  if (text === "Infinity") return Number.POSITIVE_INFINITY;
  if (text === "-Infinity") return Number.NEGATIVE_INFINITY;
  if (!/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Seconds and nanoseconds of a Timestamp or Duration. */
export interface Moment {
  readonly seconds: Long;
  readonly nanos: number;
}

const maxDuration = 315_576_000_000;

/** Parses RFC 3339 with up to nine decimals; undefined if it is invalid. */
export function readTimestamp(text: string): Moment | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [, date = "", clock = "", fraction = "", zone = ""] = match;
  const second = `${date}T${clock}${zone}`;
  if (second !== lastSecond.text) {
    const milliseconds = Date.parse(second);
    if (Number.isNaN(milliseconds) || !isDate(date)) return undefined;
    lastSecond = { text: second, seconds: Long.fromNumber(milliseconds / 1000) };
  }
  return { seconds: lastSecond.seconds, nanos: nanosOf(fraction) };
}

// Readings of a second come together.
let lastSecond = { text: "", seconds: Long.ZERO };

/** Parses a duration such as `10s` or `-0.000005s`; undefined if it is invalid or out of range. */
export function readDuration(text: string): Moment | undefined {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text);
  if (match === null || Number(match[2]) > maxDuration) return undefined;
  return signed(match[1] === "-", match[2] ?? "", match[3] ?? "");
}

/** Parses decimal seconds of PUTVAL lines to the nanosecond. A negative time has positive nanoseconds. */
export function readSeconds(text: string, type: "time" | "span"): Moment | undefined {
  const match = /^(-?)(\d{1,18})(?:\.(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const moment = signed(match[1] === "-", match[2] ?? "", (match[3] ?? "").slice(0, 9));
  if (type === "span" || moment.nanos >= 0) return moment;
  return { seconds: moment.seconds.sub(1), nanos: moment.nanos + 1_000_000_000 };
}

function signed(negative: boolean, whole: string, fraction: string): Moment {
  const seconds = readInteger(whole, "int64") ?? Long.ZERO;
  const nanos = nanosOf(fraction);
  return negative ? { seconds: seconds.neg(), nanos: nanos === 0 ? 0 : -nanos } : { seconds, nanos };
}

function nanosOf(fraction: string): number {
  return Number(fraction.padEnd(9, "0"));
}
