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
