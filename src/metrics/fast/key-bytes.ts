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
