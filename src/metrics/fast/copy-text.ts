// In a file of its own: the build puts files that several commands share into pieces of their own, and a call from one
// piece to another costs more than all that happens here.

/** Copies `length` bytes of UTF-8, eight at a time, and returns the index behind the copy. */
export function copyText(from: DataView, at: number, length: number, to: DataView, target: number): number {
  // No valid UTF-8 forms a NaN, so passing through doubles changes nothing; and doubles are not allocated.
  for (let offset = 0; offset < length; offset += 8) {
    to.setFloat64(target + offset, from.getFloat64(at + offset, true), true);
  }
  return target + length;
}
