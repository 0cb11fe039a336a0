import type { SchemaElement } from "hyparquet";
import type { ByteWriter } from "hyparquet-writer";
import { writeRleBitPackedHybrid } from "../hyparquet-parts.ts";

/** The least and the greatest of some values; undefined if there is none (or only NaN). */
export interface Bounds {
  readonly min: string | number | bigint | undefined;
  readonly max: string | number | bigint | undefined;
}

/** The values of a column that are not null. */
export interface ColumnValues {
  /** The values that pages name by their numbers, if there are such. */
  readonly dictionary?: readonly (string | number)[];
  /** Writes those from `start` to `end` as a data page has them. */
  readonly write: (page: ByteWriter, start: number, end: number) => void;
  readonly bounds: (start: number, end: number) => Bounds;
}

/** Values that are numbers of a dictionary; `ranks` orders them. */
export function dictionaryValues(
  ids: Int32Array,
  dictionary: readonly (string | number)[],
  ranks: readonly number[],
): ColumnValues {
  // Like other writers: not every reader takes 0.
  const bits = Math.max(1, 32 - Math.clz32(dictionary.length - 1));
  return {
    dictionary,
    write: (page, start, end) => {
      page.appendUint8(bits);
      writeRleBitPackedHybrid(page, ids.subarray(start, end), bits);
    },
    bounds: (start, end) => {
      let [min, max] = [ids[start] ?? 0, ids[start] ?? 0];
      let last = min;
      for (let at = start; at < end; at += 1) {
        const id = ids[at] ?? 0;
        if (id === last) continue;
        last = id;
        const rank = ranks[id] ?? 0;
        if (rank < (ranks[min] ?? 0)) min = id;
        if (rank > (ranks[max] ?? 0)) max = id;
      }
      return start === end ? { min: undefined, max: undefined } : { min: dictionary[min], max: dictionary[max] };
    },
  };
}

/** Values of 64 bits: words in pairs, the low one first. */
export function plainValues(words: Int32Array, { type, converted_type }: SchemaElement): ColumnValues {
  const write = (page: ByteWriter, start: number, end: number) =>
    page.appendBytes(new Uint8Array(words.buffer, words.byteOffset + start * 8, (end - start) * 8));
  if (type === "DOUBLE") {
    const doubles = new Float64Array(words.buffer, words.byteOffset, words.length / 2);
    return { write, bounds: (start, end) => doubleBounds(doubles, start, end) };
  }
  const isUnsigned = converted_type === "UINT_64";
  return { write, bounds: (start, end) => integerBounds(words, isUnsigned, start, end) };
}

function doubleBounds(doubles: Float64Array, start: number, end: number): Bounds {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isNumber = false;
  for (let at = start; at < end; at += 1) {
    const value = doubles[at] ?? 0;
    if (Number.isNaN(value)) continue;
    isNumber = true;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  // The format wants these signs of zero, because the order of both is not defined.
  return isNumber ? { min: min === 0 ? -0 : min, max: max === 0 ? 0 : max } : { min: undefined, max: undefined };
}

function integerBounds(words: Int32Array, isUnsigned: boolean, start: number, end: number): Bounds {
  if (start === end) return { min: undefined, max: undefined };
  // Turned around for the comparison, so that all are signed.
  const sign = isUnsigned ? 0x80_00_00_00 : 0;
  let [min, max] = [start, start];
  let minHigh = (words[2 * start + 1] ?? 0) ^ sign;
  let maxHigh = minHigh;
  for (let at = start + 1; at < end; at += 1) {
    const high = (words[2 * at + 1] ?? 0) ^ sign;
    if (high < minHigh || (high === minHigh && lowOf(words, at) < lowOf(words, min))) {
      min = at;
      minHigh = high;
    }
    if (high > maxHigh || (high === maxHigh && lowOf(words, at) > lowOf(words, max))) {
      max = at;
      maxHigh = high;
    }
  }
  const exact = (at: number) => {
    const bits = (BigInt((words[2 * at + 1] ?? 0) >>> 0) << 32n) | BigInt(lowOf(words, at));
    return isUnsigned ? bits : BigInt.asIntN(64, bits);
  };
  return { min: exact(min), max: exact(max) };
}

function lowOf(words: Int32Array, at: number): number {
  return (words[2 * at] ?? 0) >>> 0;
}
