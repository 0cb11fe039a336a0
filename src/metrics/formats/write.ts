import { createBlock, type Literal } from "../wire/block.ts";

// The bundler puts this into one file with the printers: a call between files would cost more than the functions themselves.

/** Copies `length` bytes of UTF-8, eight at a time, and returns the end of the copy. */
export function copyText(from: DataView, at: number, length: number, to: DataView, target: number): number {
  // Doubles are not allocated, and preserve the bytes because valid UTF-8 never forms a NaN.
  for (let offset = 0; offset < length; offset += 8) {
    to.setFloat64(target + offset, from.getFloat64(at + offset, true), true);
  }
  return target + length;
}

/** Writes a literal and returns its end. */
export function writeLiteral(view: DataView, at: number, { view: from, length }: Literal): number {
  return copyText(from, 0, length, view, at);
}

// Writes decimal digits as bytes. Each function takes the index to write at and returns the end of the output; passing
// the index along keeps it in a register. Each may write up to 8 bytes past its output.

/** The four ASCII digits of 0 to 9999 as little-endian numbers, computed on first use. */
const fourDigits = new Uint32Array(10_000);

function makeDigits(number: number): number {
  const high = (number / 100) | 0;
  const low = number - high * 100;
  const digits = ((high / 10) | 0) + (high % 10) * 0x100 + ((low / 10) | 0) * 0x10000 + (low % 10) * 0x1000000;
  fourDigits[number] = digits + 0x30303030;
  return digits + 0x30303030;
}

/** Writes a number below 10,000 as four digits. */
export function writeFour(view: DataView, at: number, number: number): number {
  view.setUint32(at, fourDigits[number] || makeDigits(number), true);
  return at + 4;
}

/** Writes a number below 10^9 as nine digits. */
export function writeNine(view: DataView, at: number, number: number): number {
  const upper = (number / 10_000) | 0;
  const top = (upper / 10_000) | 0;
  view.setUint8(at, 48 + top);
  writeFour(view, at + 1, upper - top * 10_000);
  return writeFour(view, at + 5, number - upper * 10_000);
}

/** Writes a number below 10^8 as eight digits. */
function writeEight(view: DataView, at: number, number: number): number {
  const upper = (number / 10_000) | 0;
  writeFour(view, at, upper);
  return writeFour(view, at + 4, number - upper * 10_000);
}

/** Writes an integer below 10,000 without leading zeros. */
function writeShort(view: DataView, at: number, number: number): number {
  const digits = fourDigits[number] || makeDigits(number);
  if (number > 999) {
    view.setUint32(at, digits, true);
    return at + 4;
  }
  const skip = number > 99 ? 1 : number > 9 ? 2 : 3;
  view.setUint32(at, digits >>> (skip * 8), true);
  return at + 4 - skip;
}

/** Writes an integer from 0 to 2^53. */
export function writeWhole(view: DataView, at: number, number: number): number {
  if (number < 1e4) return writeShort(view, at, number);
  if (number < 1e8) {
    const upper = (number / 1e4) | 0;
    return writeFour(view, writeShort(view, at, upper), number - upper * 1e4);
  }
  const upper = Math.floor(number / 1e8);
  const lower = number - upper * 1e8;
  if (upper < 1e4) return writeEight(view, writeShort(view, at, upper), lower);
  const top = (upper / 1e4) | 0;
  return writeEight(view, writeFour(view, writeShort(view, at, top), upper - top * 1e4), lower);
}

/** Writes an unsigned 64-bit integer, given as two 32-bit halves. */
export function writeUnsigned(view: DataView, at: number, high: number, low: number): number {
  if (high < 0x200000) return writeWhole(view, at, high * 4294967296 + low);
  // Long division by 10^9 over limbs of 32, 16 and 16 bits, so that each step stays below 2^53.
  let rest = high % 1e9;
  let part = rest * 65536 + (low >>> 16);
  const upper = Math.floor(part / 1e9);
  rest = part - upper * 1e9;
  part = rest * 65536 + (low & 0xffff);
  const lower = Math.floor(part / 1e9);
  const last = part - lower * 1e9;
  const quotient = Math.floor(high / 1e9) * 4294967296 + upper * 65536 + lower;
  return writeNine(view, writeWhole(view, at, quotient), last);
}

/** Writes a signed 64-bit integer, given as the two halves of its two's complement. */
export function writeSigned(view: DataView, at: number, high: number, low: number): number {
  if (high < 0x80000000) return writeUnsigned(view, at, high, low);
  view.setUint8(at, 0x2d);
  const negated = -low >>> 0;
  return writeUnsigned(view, at + 1, (~high + (negated === 0 ? 1 : 0)) >>> 0, negated);
}

/** Writes a finite double as `String` formats it, but negative zero as `-0`. */
export function writeDouble(view: DataView, at: number, value: number): number {
  if (value < 0 || (value === 0 && 1 / value < 0)) {
    view.setUint8(at, 0x2d);
    at += 1;
    value = -value;
  }
  // Below this, numbers with three decimals map to distinct doubles, so `thousandths` gives the shortest text.
  if (value < 1e11) {
    const thousandths = Math.round(value * 1000);
    if (thousandths / 1000 === value) return writeThousandths(view, at, thousandths);
  }
  return writeText(view, at, String(value));
}

function writeThousandths(view: DataView, at: number, thousandths: number): number {
  const whole = Math.floor(thousandths / 1000);
  const decimals = thousandths - whole * 1000;
  at = writeWhole(view, at, whole);
  if (decimals === 0) return at;
  // The decimal point overwrites the leading zero of the four digits.
  writeFour(view, at, decimals);
  view.setUint8(at, 0x2e);
  if (decimals % 10 !== 0) return at + 4;
  return decimals % 100 !== 0 ? at + 3 : at + 2;
}

/** Writes an ASCII string. */
export function writeText(view: DataView, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) view.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}

/** Writes a fraction as `.250`, `.000005` or `.123456789`; nothing for 0. */
export function writeFraction(view: DataView, at: number, nanos: number): number {
  if (nanos === 0) return at;
  writeNine(view, at + 1, nanos);
  view.setUint8(at, 0x2e);
  if (nanos % 1000 !== 0) return at + 10;
  return nanos % 1_000_000 === 0 ? at + 4 : at + 7;
}

/** Writes times as RFC 3339 in UTC. Caches the last second, since readings of one second usually come together. */
export type Clock = (view: DataView, at: number, seconds: number, nanos: number) => number;

/** Creates a clock for the years 1970 to 9999. */
export function createClock(): Clock {
  const cached = createBlock(24);
  const last = new Float64Array([-1]);
  return (view, at, seconds, nanos) => {
    if (last[0] !== seconds) {
      writeText(cached.view, 0, new Date(seconds * 1000).toISOString().slice(0, 19));
      last[0] = seconds;
    }
    at = writeFraction(view, copyText(cached.view, 0, 19, view, at), nanos);
    view.setUint8(at, 0x5a);
    return at + 1;
  };
}
