import { fstatSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { maxMessageSize } from "../framing/framing.ts";
import { type Block, createBlock } from "../wire/block.ts";

/** Where bytes come from. */
export interface Source {
  /** Puts bytes at `at` and returns how many, 0 at the end. Fulfils later only when nothing has arrived yet. */
  readonly read: (into: Uint8Array, at: number, room: number) => number | Promise<number>;
}

/** A file that is read where it stands: no waiting, no streams, no copies. */
export function fileSource(fd: number): Source {
  return { read: (into, at, room) => readSync(fd, into, at, room, null) };
}

/**
 * A stream, or the file behind it where it is one. Pipes and terminals are never read synchronously: while such a read
 * waits, Ctrl-C would too. Rejects with the signal's reason once it aborts.
 */
export function streamSource(stream: Readable, signal?: AbortSignal): Source {
  const fd = fileBehind(stream);
  if (fd !== undefined) return fileSource(fd);
  const state: { chunk: Uint8Array; ended: boolean; error: Error | undefined; wake: () => void } = {
    chunk: new Uint8Array(),
    ended: false,
    error: undefined,
    wake: () => {},
  };
  const wake = () => state.wake();
  stream.on("readable", wake);
  stream.on("end", () => {
    state.ended = true;
    wake();
  });
  stream.on("close", () => {
    state.ended = true;
    wake();
  });
  stream.on("error", (error) => {
    state.error = error;
    wake();
  });
  signal?.addEventListener("abort", wake, { once: true });

  function take(into: Uint8Array, at: number, room: number): number {
    const size = Math.min(room, state.chunk.length);
    into.set(state.chunk.subarray(0, size), at);
    state.chunk = state.chunk.subarray(size);
    return size;
  }

  async function wait(into: Uint8Array, at: number, room: number): Promise<number> {
    for (;;) {
      signal?.throwIfAborted();
      if (state.error !== undefined) throw state.error;
      const chunk: unknown = stream.read();
      if (chunk instanceof Uint8Array && chunk.length > 0) {
        state.chunk = chunk;
        return take(into, at, room);
      }
      if (state.ended || stream.readableEnded) return 0;
      await new Promise<void>((resolve) => {
        state.wake = resolve;
      });
    }
  }

  return { read: (into, at, room) => (state.chunk.length > 0 ? take(into, at, room) : wait(into, at, room)) };
}

function fileBehind(stream: Readable): number | undefined {
  const { fd } = stream as { fd?: unknown };
  return typeof fd === "number" && fstatSync(fd).isFile() ? fd : undefined;
}

const initialCapacity = 1024 * 1024;
const maxCapacity = 2 * maxMessageSize;

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
  return { block: createBlock(initialCapacity), start: 0, end: 0, base: 0, ended: false };
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
  const block = createBlock(Math.min(window.block.capacity * 2, maxCapacity));
  block.bytes.set(window.block.bytes.subarray(window.start, window.end));
  window.block = block;
}
