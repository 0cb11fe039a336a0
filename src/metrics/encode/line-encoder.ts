import { kind } from "../decode/fields.ts";
import { createTailCache, sameBytes } from "../decode/tail-cache.ts";
import { type Framing, frameHead } from "../framing/framing.ts";
import { encodeReading } from "../reading/codec.ts";
import { type Block, createBlock, type Literal, literal } from "../wire/block.ts";
import { readTimestamp } from "./numbers.ts";
import { createCursor, isDigit, readNumber, readSigned, readUnsigned } from "./read-numbers.ts";
import { tailFromJson } from "./tail-from-json.ts";

/** The line needs the generic path. */
export const useGeneric = -1;
/** The output block is full: flush it and try again. */
export const outputFull = -2;

// Of a line that takes this path.
const maxValues = 64;

/**
 * Encodes a line of JSON as decode writes it, and returns the end of the output, or `useGeneric` or `outputFull`. The line
 * ends before the line feed at `end`, and the view extends `slack` bytes past it.
 */
export type LineEncoder = (
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  out: Block,
  at: number,
) => number;

// The JSON of a tail is about twice as long as its encoding. Memory is only used as the cache fills.
const mebibyte = 1024 * 1024;
const cacheSize = { entries: 262_144, keys: 96 * mebibyte, text: 48 * mebibyte };

/**
 * Creates an encoder with an empty cache. All readings of a series end in the same text: what follows values and time is
 * read and encoded once. It writes exactly what the generic path writes.
 */
export function createLineEncoder(framing: Framing): LineEncoder {
  // Read it from the import once instead of for each comparison.
  const isSame = sameBytes;
  const cache = createTailCache(cacheSize);
  const heads: Uint8Array[] = [];
  // Values and time of a reading, encoded.
  const values = createBlock(maxValues * 16);
  const cursor = createCursor();
  const date = createBlock(dateLength);
  let second = -1;
  let to = 0;
  const opening = literal('{"values":[');
  const gauge = literal('{"gauge":');
  const integers: readonly [letter: number, field: number, text: Literal][] = [
    [0x63, kind.counter, literal('{"counter":"')],
    [0x64, kind.derive, literal('{"derive":"')],
    [0x61, kind.absolute, literal('{"absolute":"')],
  ];
  const timeText = literal('],"time":"');
  const specials: readonly [text: Literal, value: number][] = [
    [literal('"NaN"'), Number.NaN],
    [literal('"Infinity"'), Number.POSITIVE_INFINITY],
    [literal('"-Infinity"'), Number.NEGATIVE_INFINITY],
  ];

  /** Moves past this text; false if something else follows. */
  function skip({ view, length }: Literal): boolean {
    if (!isSame(cursor.view, cursor.at, view, 0, length)) return false;
    cursor.at += length;
    return true;
  }

  function skipByte(byte: number): boolean {
    if (cursor.view.getUint8(cursor.at) !== byte) return false;
    cursor.at += 1;
    return true;
  }

  function put(byte: number): void {
    values.view.setUint8(to, byte);
    to += 1;
  }

  function putVarint(high: number, low: number): void {
    while (high > 0 || low > 0x7f) {
      put((low & 0x7f) | 0x80);
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    put(low);
  }

  /** Writes field 1 of a reading, and leaves room for its length. */
  function readValue(): boolean {
    const letter = cursor.view.getUint8(cursor.at + 2);
    put(0x0a);
    const lengthAt = to;
    to += 1;
    if (letter === 0x67) {
      if (!skip(gauge)) return false;
      const value = cursor.view.getUint8(cursor.at) === 0x22 ? special() : readNumber(cursor);
      if (value === undefined) return false;
      put(0x11);
      values.view.setFloat64(to, value, true);
      to += 8;
    } else {
      const known = letter === 0x64 ? integers[1] : letter === 0x63 ? integers[0] : integers[2];
      if (known === undefined || !skip(known[2])) return false;
      if (!(known[1] === kind.derive ? readSigned(cursor) : readUnsigned(cursor))) return false;
      put(known[1] * 8);
      putVarint(cursor.high, cursor.low);
      if (!skipByte(0x22)) return false;
    }
    values.view.setUint8(lengthAt, to - lengthAt - 1);
    return skipByte(0x7d);
  }

  function special(): number | undefined {
    return specials.find(([text]) => skip(text))?.[1];
  }

  /** Writes field 2 of a reading. */
  function readTime(): boolean {
    const { view } = cursor;
    if (view.byteLength - cursor.at <= dateLength) return false;
    if (second < 0 || !isSame(view, cursor.at, date.view, 0, dateLength)) {
      let text = "";
      for (let index = 0; index < dateLength; index += 1) text += String.fromCharCode(view.getUint8(cursor.at + index));
      const moment = readTimestamp(`${text}Z`);
      second = moment?.seconds.toNumber() ?? -1;
      if (second < 0) return false;
      for (let index = 0; index < dateLength; index += 1) date.bytes[index] = text.charCodeAt(index);
    }
    cursor.at += dateLength;
    let nanos = 0;
    if (skipByte(0x2e)) {
      let scale = 1e9;
      for (let byte = view.getUint8(cursor.at); isDigit(byte) && scale > 1; byte = view.getUint8(cursor.at)) {
        scale /= 10;
        nanos += (byte - 0x30) * scale;
        cursor.at += 1;
      }
      if (scale === 1e9) return false;
    }
    put(0x12);
    const lengthAt = to;
    to += 1;
    if (second > 0) {
      put(0x08);
      putVarint(Math.floor(second / 2 ** 32), second >>> 0);
    }
    if (nanos > 0) {
      put(0x10);
      putVarint(0, nanos);
    }
    values.view.setUint8(lengthAt, to - lengthAt - 1);
    return skipByte(0x5a) && skipByte(0x22);
  }

  /** Reads values and time; false if they are written in another way than decode does. */
  function readStart(): boolean {
    if (!skip(opening)) return false;
    for (let count = 1; ; count += 1) {
      if (count > maxValues || !readValue()) return false;
      if (!skipByte(0x2c)) break;
    }
    if (skip(timeText)) return readTime();
    return skipByte(0x5d);
  }

  function addTail(bytes: Uint8Array, start: number, end: number): number {
    const tail = tailFromJson(bytes.subarray(start, end));
    if (tail === undefined) return -1;
    return cache.add(bytes, start, end, { texts: [encodeReading(tail)], tag: 0 });
  }

  return (bytes, view, start, end, out, at) => {
    cursor.view = view;
    cursor.at = start;
    to = 0;
    if (!readStart()) return useGeneric;
    // The items of an array end in a comma.
    const stop = view.getUint8(end - 1) === 0x2c ? end - 1 : end;
    if (stop <= cursor.at) return useGeneric;
    let entry = cache.find(view, cursor.at, stop);
    if (entry < 0) entry = addTail(bytes, cursor.at, stop);
    if (entry < 0) return useGeneric;
    const tail = cache.partAt(entry, 0);
    const tailEnd = cache.partAt(entry, 1);
    const size = to + tailEnd - tail;
    heads[size] ??= frameHead(framing, size);
    const head = heads[size];
    if (head === undefined || head.length + size > out.capacity) return useGeneric;
    if (head.length + size > out.capacity - at) return outputFull;
    out.bytes.set(head, at);
    at = copyBytes(values.view, 0, to, out.view, at + head.length);
    return copyBytes(cache.text.view, tail, tailEnd, out.view, at);
  };
}

// The length of a time up to its second.
const dateLength = 19;

/** Copies bytes, four at a time, and returns the end of the copy; writes up to three bytes past it. */
function copyBytes(from: DataView, start: number, end: number, to: DataView, at: number): number {
  for (let offset = 0; offset < end - start; offset += 4)
    to.setInt32(at + offset, from.getInt32(start + offset, true), true);
  return at + end - start;
}
