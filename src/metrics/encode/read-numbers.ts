// Reads the numbers of JSON from bytes. A cursor is passed along and moved, so that nothing is allocated for a number.

/** A position in the bytes that are read, and the integer that was read last, as two 32-bit halves. */
export interface Cursor {
  view: DataView;
  at: number;
  high: number;
  low: number;
}

/** Creates a cursor at the start of nothing. */
export function createCursor(): Cursor {
  return { view: new DataView(new ArrayBuffer(0)), at: 0, high: 0, low: 0 };
}

/** Whether a byte is an ASCII digit. */
export function isDigit(byte: number): boolean {
  return byte > 0x2f && byte < 0x3a;
}

// Products of a 32-bit number and this many digits stay below 2^53.
const maxDigits = 6;
const powers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/** Reads a decimal integer of up to 20 digits below 2^64; false for any other. */
export function readUnsigned(cursor: Cursor): boolean {
  const { view } = cursor;
  const start = cursor.at;
  let at = start;
  let high = 0;
  let low = 0;
  for (let byte = view.getUint8(at); isDigit(byte); ) {
    let part = 0;
    let digits = 0;
    for (; digits < maxDigits && isDigit(byte); digits += 1) {
      part = part * 10 + byte - 0x30;
      at += 1;
      byte = view.getUint8(at);
    }
    const power = powers[digits] ?? 1;
    const lower = low * power + part;
    low = lower >>> 0;
    high = high * power + Math.floor(lower / 2 ** 32);
    if (high >= 2 ** 32) return false;
  }
  cursor.at = at;
  cursor.high = high;
  cursor.low = low;
  return at > start && at - start <= 20;
}

/** Reads a decimal integer from -2^63 to 2^63 - 1, as two's complement; false for any other. */
export function readSigned(cursor: Cursor): boolean {
  const isNegative = cursor.view.getUint8(cursor.at) === 0x2d;
  if (isNegative) cursor.at += 1;
  if (!readUnsigned(cursor)) return false;
  const { high, low } = cursor;
  if (!isNegative) return high < 2 ** 31;
  if (high > 2 ** 31 || (high === 2 ** 31 && low > 0)) return false;
  cursor.low = -low >>> 0;
  cursor.high = (~high + (cursor.low === 0 ? 1 : 0)) >>> 0;
  return true;
}

const tens = Array.from({ length: 16 }, (_, power) => 10 ** power);
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const longest = 400;
const lineFeed = 0x0a;

/** Reads a finite number of JSON that ends before `}`; undefined for any other. A line feed must follow somewhere. */
export function readNumber(cursor: Cursor): number | undefined {
  const { view } = cursor;
  const start = cursor.at;
  const isNegative = view.getUint8(start) === 0x2d;
  const first = isNegative ? start + 1 : start;
  let at = first;
  let byte = view.getUint8(at);
  let digits = 0;
  let whole = 0;
  for (; isDigit(byte); whole += 1) {
    digits = digits * 10 + byte - 0x30;
    at += 1;
    byte = view.getUint8(at);
  }
  let decimals = 0;
  if (byte === 0x2e) {
    at += 1;
    byte = view.getUint8(at);
    for (; isDigit(byte); decimals += 1) {
      digits = digits * 10 + byte - 0x30;
      at += 1;
      byte = view.getUint8(at);
    }
    if (decimals === 0) return undefined;
  }
  const isPlain = whole === 1 || view.getUint8(first) !== 0x30;
  // With 15 digits, both numbers are exact, and their quotient is the nearest double.
  if (byte === 0x7d && isPlain && whole > 0 && whole + decimals <= 15) {
    cursor.at = at;
    const value = digits / (tens[decimals] ?? 1);
    return isNegative ? -value : value;
  }
  while (byte !== 0x7d && byte !== lineFeed && at - start < longest) {
    at += 1;
    byte = view.getUint8(at);
  }
  let text = "";
  for (let index = start; index < at; index += 1) text += String.fromCharCode(view.getUint8(index));
  if (!jsonNumber.test(text)) return undefined;
  cursor.at = at;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
