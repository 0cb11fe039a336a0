/** How far the functions here may read and write beyond the end they are given. */
export const slack = 16;

/** A buffer with the view that the fast way works on, and `slack` bytes beyond its capacity. */
export interface Block {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly capacity: number;
}

/** A zeroed block. */
export function createBlock(capacity: number): Block {
  const bytes = new Uint8Array(capacity + slack);
  return { bytes, view: new DataView(bytes.buffer), capacity };
}

/** Copies `length` bytes of UTF-8, eight at a time, and returns the index behind the copy. */
export function copyText(from: DataView, at: number, length: number, to: DataView, target: number): number {
  // No valid UTF-8 forms a NaN, so passing through doubles changes nothing; and doubles are not allocated.
  for (let offset = 0; offset < length; offset += 8) {
    to.setFloat64(target + offset, from.getFloat64(at + offset, true), true);
  }
  return target + length;
}

/** Whether two ranges of the same length hold the same bytes. */
export function sameBytes(one: DataView, at: number, other: DataView, from: number, length: number): boolean {
  const whole = length & ~3;
  let offset = 0;
  while (offset < whole) {
    if (one.getInt32(at + offset, true) !== other.getInt32(from + offset, true)) return false;
    offset += 4;
  }
  const rest = length - whole;
  if (rest === 0) return true;
  const difference = one.getInt32(at + offset, true) ^ other.getInt32(from + offset, true);
  return difference << (32 - rest * 8) === 0;
}

/** A 32-bit hash of a range. */
export function hashBytes(view: DataView, at: number, length: number): number {
  let hash = length;
  const whole = length & ~3;
  for (let offset = 0; offset < whole; offset += 4) {
    hash = Math.imul(hash ^ view.getInt32(at + offset, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  const rest = length - whole;
  if (rest > 0) {
    hash = Math.imul(hash ^ (view.getInt32(at + whole, true) << (32 - rest * 8)), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
