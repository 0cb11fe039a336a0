import { type Block, createBlock } from "../fast/block.ts";
import { longestMessage } from "../framing/framing.ts";
import type { Source } from "./source.ts";

const firstCapacity = 1024 * 1024;
const lastCapacity = 2 * longestMessage;

/** The part of an input that is in memory: `block` from `start` to `end`, whose first byte is byte `base + start`. */
export interface Window {
  block: Block;
  start: number;
  end: number;
  base: number;
  ended: boolean;
}

/** An empty window. */
export function createWindow(): Window {
  return { block: createBlock(firstCapacity), start: 0, end: 0, base: 0, ended: false };
}

/**
 * Reads what the source has, moving what is left to the front. The buffer grows only once it is full of bytes that have
 * really arrived, never by what a length claims.
 */
export function fill(window: Window, source: Source): Promise<void> | undefined {
  const left = window.end - window.start;
  if (left === window.block.capacity) grow(window);
  else if (window.start > 0) window.block.bytes.copyWithin(0, window.start, window.end);
  window.base += window.start;
  window.start = 0;
  window.end = left;
  const got = source.read(window.block.bytes, left, window.block.capacity - left);
  if (typeof got === "number") return take(window, got);
  return got.then((size) => take(window, size));
}

function take(window: Window, size: number): undefined {
  window.end += size;
  window.ended = size === 0;
}

function grow(window: Window): void {
  const block = createBlock(Math.min(window.block.capacity * 2, lastCapacity));
  block.bytes.set(window.block.bytes.subarray(window.start, window.end));
  window.block = block;
}
