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

// The only reader of varint lengths on the fast paths: the content of a field or message whose length is at `at` runs
// from `contentStart` to `contentEnd`. The view must reach 16 bytes beyond `end`.

/**
 * Index behind the content whose length is at `at`. Returns -1 for a length that the strict reader has to judge: padded,
 * longer than two bytes, or past `end`.
 */
export function contentEnd(view: DataView, at: number, end: number): number {
  const low = view.getUint8(at);
  if (low < 0x80) return at + 1 + low <= end ? at + 1 + low : -1;
  const high = view.getUint8(at + 1);
  if (high === 0 || high > 0x7f) return -1;
  const stop = at + 2 + (low & 0x7f) + high * 128;
  return stop <= end ? stop : -1;
}

/** Index of the first byte of the content whose length is at `at`; only for lengths that `contentEnd` accepts. */
export function contentStart(view: DataView, at: number): number {
  return view.getUint8(at) < 0x80 ? at + 1 : at + 2;
}
