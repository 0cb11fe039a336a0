import { type Block, createBlock } from "../wire/block.ts";

// All readings of a series end in the same bytes: interval, identifier, names and usually metadata. This caches the
// output for such a tail by its bytes. The arenas bound the memory and avoid garbage collection.
const maxKeySize = 4096;

/** Limits of a cache. */
export interface CacheSize {
  /** The number of tails, a power of two. */
  readonly entries: number;
  /** Bytes of all tails. */
  readonly keys: number;
  /** Bytes of all strings. */
  readonly text: number;
}

const mebibyte = 1024 * 1024;

/** Enough for most senders. */
export const usualSize: CacheSize = { entries: 16_384, keys: 2 * mebibyte, text: 4 * mebibyte };

/** For senders with more series: memory is only used as the cache fills. */
export const largeSize: CacheSize = { entries: 262_144, keys: 32 * mebibyte, text: 96 * mebibyte };

// The hashes of tails that were in the cache before it was cleared.
const ghostSlots = 2 ** 18;

/** The output of a format for a tail: text or encoded text, and a number that the format may use. */
export interface Tail {
  readonly texts: readonly (string | Uint8Array)[];
  readonly tag: number;
}

/** Cached output for tails. An entry is a number, or -1 for none. */
export interface TailCache {
  /** The entry for these bytes. The view must extend `slack` bytes past `end`. */
  readonly find: (view: DataView, start: number, end: number) => number;
  /** Adds a tail for the bytes last passed to `find`. Clears the cache when it is full. */
  readonly add: (bytes: Uint8Array, start: number, end: number, tail: Tail) => number;
  /** Adds a tail that no bytes find; its entry is that of the next tail. */
  readonly hold: (tail: Tail) => number;
  /** The arena that holds the texts. */
  text: Block;
  /** The start of text `part` of an entry in the arena; it ends at the start of `part + 1`. */
  readonly partAt: (entry: number, part: number) => number;
  /** The number of texts of an entry. */
  readonly parts: (entry: number) => number;
  readonly tag: (entry: number) => number;
  /** Whether tails come again after the cache was cleared, so that a larger one would keep them. */
  readonly isTooSmall: () => boolean;
}

/** Creates an empty cache. */
export function createTailCache(size: CacheSize = usualSize): TailCache {
  const { entries: maxEntries, keys: keyCapacity, text: textCapacity } = size;
  const slots = 2 * maxEntries;
  const keys = createBlock(keyCapacity);
  // Stores entry + 1, so that a zero-filled table is empty and costs nothing for small inputs.
  const table = new Int32Array(slots);
  const hashes = new Int32Array(maxEntries);
  const keyAt = new Int32Array(maxEntries + 1);
  const firstPart = new Int32Array(maxEntries + 2);
  let partAt = new Int32Array(4 * maxEntries + 1);
  const tags = new Int32Array(maxEntries + 1);
  const followers = new Int32Array(maxEntries);
  // [number of entries, previous entry, last hash, number of tails that were here before]
  const state = new Int32Array([0, -1, 0, 0]);
  let ghosts: Int32Array | undefined;

  function matches(entry: number, view: DataView, start: number, length: number): boolean {
    const at = keyAt[entry] ?? 0;
    return (keyAt[entry + 1] ?? 0) - at === length && sameBytes(view, start, keys.view, at, length);
  }

  function find(view: DataView, start: number, end: number): number {
    const length = end - start;
    const previous = state[1] ?? -1;
    // Senders repeat series in the same order, so first try the entry that followed last time.
    if (previous >= 0) {
      const guess = followers[previous] ?? -1;
      if (guess >= 0 && matches(guess, view, start, length)) {
        state[1] = guess;
        return guess;
      }
    }
    const hash = hashBytes(view, start, length);
    state[2] = hash;
    for (let slot = hash & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const entry = (table[slot] ?? 0) - 1;
      if (entry < 0) return -1;
      if (hashes[entry] === hash && matches(entry, view, start, length)) {
        if (previous >= 0) followers[previous] = entry;
        state[1] = entry;
        return entry;
      }
    }
  }

  function clear(): void {
    ghosts ??= new Int32Array(ghostSlots);
    for (let entry = 0; entry < (state[0] ?? 0); entry += 1) {
      const hash = hashes[entry] ?? 0;
      ghosts[hash & (ghostSlots - 1)] = hash;
    }
    table.fill(0);
    state[0] = 0;
    state[1] = -1;
  }

  /** Writes the texts after those of the last entry. Clears the cache if they have no room. */
  function hold({ texts, tag }: Tail): number {
    // A character has at most three bytes.
    let most = 0;
    for (const piece of texts) most += piece.length * (typeof piece === "string" ? 3 : 1);
    const last = firstPart[state[0] ?? 0] ?? 0;
    if ((partAt[last] ?? 0) + most > cache.text.capacity || last + texts.length >= partAt.length) clear();
    const entry = state[0] ?? 0;
    let part = firstPart[entry] ?? 0;
    if (most > cache.text.capacity) cache.text = createBlock(most);
    if (texts.length >= partAt.length) partAt = new Int32Array(texts.length + 1);
    let at = partAt[part] ?? 0;
    for (const piece of texts) {
      at = putText(piece, cache.text.bytes, at);
      part += 1;
      partAt[part] = at;
    }
    firstPart[entry + 1] = part;
    tags[entry] = tag;
    return entry;
  }

  function add(bytes: Uint8Array, start: number, end: number, tail: Tail): number {
    if (end - start > maxKeySize) return hold(tail);
    const hash = state[2] ?? 0;
    if (ghosts !== undefined && ghosts[hash & (ghostSlots - 1)] === hash) state[3] = (state[3] ?? 0) + 1;
    if (state[0] === maxEntries || (keyAt[state[0] ?? 0] ?? 0) + end - start > keyCapacity) clear();
    const entry = hold(tail);
    const key = keyAt[entry] ?? 0;
    keys.bytes.set(bytes.subarray(start, end), key);
    keyAt[entry + 1] = key + end - start;
    hashes[entry] = hash;
    followers[entry] = -1;
    let slot = hash & (slots - 1);
    while ((table[slot] ?? 0) > 0) slot = (slot + 1) & (slots - 1);
    table[slot] = entry + 1;
    const previous = state[1] ?? -1;
    if (previous >= 0) followers[previous] = entry;
    state[0] = entry + 1;
    state[1] = entry;
    return entry;
  }

  const cache: TailCache = {
    find,
    add,
    hold,
    text: createBlock(textCapacity),
    partAt: (entry, part) => partAt[(firstPart[entry] ?? 0) + part] ?? 0,
    parts: (entry) => (firstPart[entry + 1] ?? 0) - (firstPart[entry] ?? 0),
    tag: (entry) => tags[entry] ?? 0,
    isTooSmall: () => (state[3] ?? 0) > maxEntries / 8,
  };
  return cache;
}

/** Copies encoded text, or encodes it, and returns its end. */
function putText(piece: string | Uint8Array, into: Uint8Array, at: number): number {
  if (typeof piece === "string") return at + encoder.encodeInto(piece, into.subarray(at)).written;
  into.set(piece, at);
  return at + piece.length;
}

const encoder = new TextEncoder();

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
