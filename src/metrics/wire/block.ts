/** How many bytes may be read and written past the end of a message or of output. */
export const slack = 16;

/** A buffer with a view on it and `slack` bytes past its capacity. */
export interface Block {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly capacity: number;
}

/** Creates a block filled with zeros. */
export function createBlock(capacity: number): Block {
  const bytes = new Uint8Array(capacity + slack);
  return { bytes, view: new DataView(bytes.buffer), capacity };
}

/** A copy of a message, with `slack` bytes after it. */
export function padded(message: Uint8Array): Block {
  const block = createBlock(message.length);
  block.bytes.set(message);
  return block;
}

/** An ASCII string that is written or compared often. */
export interface Literal {
  readonly view: DataView;
  readonly length: number;
}

/** Creates a literal. */
export function literal(text: string): Literal {
  const { bytes, view } = createBlock(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return { view, length: text.length };
}

// Lengths as encoders usually write them are read with these two functions: the content of a field or message whose length
// is at `at` runs from `contentStart` to `contentEnd`. The view must extend `slack` bytes past `end`.

/**
 * The end of the content whose length is at `at`. Returns -1 if the length is for `readField`: it is padded, has more than
 * two bytes, or exceeds `end`.
 */
export function contentEnd(view: DataView, at: number, end: number): number {
  const low = view.getUint8(at);
  if (low < 0x80) return at + 1 + low <= end ? at + 1 + low : -1;
  const high = view.getUint8(at + 1);
  if (high === 0 || high > 0x7f) return -1;
  const stop = at + 2 + (low & 0x7f) + high * 128;
  return stop <= end ? stop : -1;
}

/** The start of the content whose length is at `at`. Only valid if `contentEnd` accepts the length. */
export function contentStart(view: DataView, at: number): number {
  return view.getUint8(at) < 0x80 ? at + 1 : at + 2;
}
