import { fstatSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { maxMessageSize } from "../framing/framing.ts";
import { type Block, createBlock } from "../wire/block.ts";

/** A source of bytes. */
export interface Source {
  /** Reads up to `room` bytes into `into` at `at` and returns their number, 0 at the end; a promise if it has to wait. */
  readonly read: (into: Uint8Array, at: number, room: number) => number | Promise<number>;
}

/**
 * Reads an open file synchronously from its current position, as many bytes as it has now: it may grow as fast as it is
 * read, by what is made of it.
 */
export function fileSource(fd: number): Source {
  const { size } = fstatSync(fd);
  // Those of /proc have no size.
  let left = size === 0 ? Number.POSITIVE_INFINITY : size;
  const read: Source["read"] = (into, at, room) => {
    const got = readSync(fd, into, at, Math.min(room, left), null);
    left -= got;
    return got;
  };
  return { read };
}

/** Reads an open file synchronously from its start, and leaves its position as it is. */
export function wholeFile(fd: number): Source {
  let from = 0;
  const read = (into: Uint8Array, at: number, room: number) => {
    const size = readSync(fd, into, at, room, from);
    from += size;
    return size;
  };
  return { read };
}

/**
 * Reads a stream, or its file if it is redirected from one. Pipes and terminals are not read synchronously, because that
 * would block Ctrl-C. Rejects with the reason of the signal when it aborts.
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
  for (const event of ["end", "close"])
    stream.on(event, () => {
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

/** The file descriptor of a stream that is redirected from a file. */
export function fileBehind(stream: Readable): number | undefined {
  const { fd } = stream as { fd?: unknown };
  return typeof fd === "number" && fstatSync(fd).isFile() ? fd : undefined;
}

/** Reads the first `size` bytes, fewer if the source ends. Returns them, and a source that starts with them. */
export async function peek(source: Source, size: number): Promise<{ head: Uint8Array; whole: Source }> {
  const bytes = new Uint8Array(size);
  let got = 0;
  for (let more = 1; got < size && more > 0; got += more) more = await source.read(bytes, got, size - got);
  const head = bytes.subarray(0, got);
  let given = 0;
  const read: Source["read"] = (into, at, room) => {
    if (given === got) return source.read(into, at, room);
    const part = head.subarray(given, given + room);
    into.set(part, at);
    given += part.length;
    return part.length;
  };
  return { head, whole: { read } };
}

/** A source that is opened when it is first read. */
export function opening(open: () => Promise<Source>): Source {
  let opened: Source | undefined;
  const first: Source["read"] = async (into, at, room) => {
    opened = await open();
    return opened.read(into, at, room);
  };
  return { read: (into, at, room) => (opened?.read ?? first)(into, at, room) };
}

/** Passes on pieces of bytes, each of which may be overwritten by the next; an empty one is a pause. */
export function pieceSource(pieces: Iterator<Uint8Array, unknown>): Source {
  let rest = new Uint8Array();
  const read: Source["read"] = (into, at, room) => {
    if (rest.length === 0) {
      const { done, value } = pieces.next();
      if (done === true) return 0;
      rest = value as Uint8Array<ArrayBuffer>;
      if (rest.length === 0)
        return new Promise<void>((resolve) => setImmediate(resolve)).then(() => read(into, at, room));
    }
    const part = rest.subarray(0, room);
    into.set(part, at);
    rest = rest.subarray(part.length);
    return part.length;
  };
  return { read };
}

/** Keeps a copy of the first `size` bytes as they are read. */
export function remember(source: Source, size: number): { source: Source; head: () => Uint8Array } {
  const bytes = new Uint8Array(size);
  let kept = 0;
  const keep = (into: Uint8Array, at: number, got: number) => {
    const part = into.subarray(at, at + Math.min(got, size - kept));
    bytes.set(part, kept);
    kept += part.length;
    return got;
  };
  const read: Source["read"] = (into, at, room) => {
    const got = source.read(into, at, room);
    if (kept === size) return got;
    return typeof got === "number" ? keep(into, at, got) : got.then((later) => keep(into, at, later));
  };
  return { source: { read }, head: () => bytes.subarray(0, kept) };
}

const initialCapacity = 1024 * 1024;
const maxCapacity = 2 * maxMessageSize;

/** The part of an input in memory: `block` from `start` to `end`. Index 0 of the block is byte `base` of the input. */
export interface Window {
  block: Block;
  start: number;
  end: number;
  base: number;
  ended: boolean;
}

/** Creates an empty window. */
export function createWindow(): Window {
  return { block: createBlock(initialCapacity), start: 0, end: 0, base: 0, ended: false };
}

/**
 * Moves the remaining bytes to the front and reads more. The buffer grows only when it is full of bytes that were read,
 * never because of a length in the input.
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
