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
