import { kind } from "../decode/fields.ts";

/** A time or an interval: seconds in two halves, and nanoseconds. */
export interface MomentWords {
  high: number;
  low: number;
  nanos: number;
}

/** Writes a varint of two halves, and returns its end. */
export function writeVarint(view: DataView, at: number, high: number, low: number): number {
  let [upper, lower] = [high >>> 0, low >>> 0];
  let next = at;
  for (; upper !== 0 || lower > 0x7f; next += 1) {
    view.setUint8(next, (lower & 0x7f) | 0x80);
    lower = ((lower >>> 7) | (upper << 25)) >>> 0;
    upper >>>= 7;
  }
  view.setUint8(next, lower);
  return next + 1;
}

/** Writes a field with a varint of two halves, and returns its end. */
export function writeField(view: DataView, at: number, number: number, high: number, low: number): number {
  view.setUint8(at, number * 8);
  return writeVarint(view, at + 1, high, low);
}

/** How many bytes a length has as a varint. */
export function lengthSize(length: number): number {
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x200000 ? 3 : length < 0x10000000 ? 4 : 5;
}

/** Writes a value as a field of a reading: its kind, 0 for none, and two halves, those of a gauge with the bits of a double. */
export function writeValue(view: DataView, at: number, which: number, high: number, low: number): number {
  view.setUint8(at, 0x0a);
  const content = at + 2;
  let end = content;
  if (which === kind.gauge) {
    // Not as a double: the bytes of a NaN do not outlive that in every engine.
    view.setUint8(content, 0x11);
    view.setUint32(content + 1, low, true);
    view.setUint32(content + 5, high, true);
    end = content + 9;
  } else if (which !== 0) end = writeField(view, content, which, high, low);
  view.setUint8(at + 1, end - content);
  return end;
}

/** Writes a time or an interval as a field, without parts that are zero. */
export function writeMoment(view: DataView, at: number, tag: number, { high, low, nanos }: MomentWords): number {
  view.setUint8(at, tag);
  let end = at + 2;
  if (high !== 0 || low !== 0) end = writeField(view, end, 1, high, low);
  if (nanos !== 0) end = writeField(view, end, 2, nanos >> 31, nanos);
  view.setUint8(at + 1, end - at - 2);
  return end;
}
