import { type Block, createBlock } from "../wire/block.ts";

// A reading ends in bytes that a series repeats: interval, identifier, names, mostly metadata. What a format makes of
// such a tail is kept here under the tail's bytes, in arenas, so that memory is bounded and nothing is collected.
const maxEntries = 16_384;
const keyCapacity = 2 * 1024 * 1024;
const textCapacity = 4 * 1024 * 1024;
const partCapacity = 65_536;
const slots = 2 * maxEntries;
const maxKeySize = 4096;

/** What a format made of a tail: texts, and a number of its own. */
export interface Tail {
  readonly texts: readonly Uint8Array[];
  readonly tag: number;
}

/** Finished output for the tails met before. Entries are numbers; -1 is none. */
export interface TailCache {
  /** The entry for these bytes. The view must reach 16 bytes beyond `end`. */
  readonly find: (view: DataView, start: number, end: number) => number;
  /** Keeps a tail under the bytes that `find` was last asked for; -1 when it is too large. All goes when room runs out. */
  readonly add: (bytes: Uint8Array, start: number, end: number, tail: Tail) => number;
  /** The arena that the texts are in. */
  readonly text: Block;
  /** Where the text number `part` of an entry begins in the arena; it ends where `part + 1` begins. */
  readonly partAt: (entry: number, part: number) => number;
  /** How many texts an entry has. */
  readonly parts: (entry: number) => number;
  readonly tag: (entry: number) => number;
}

/** An empty cache. */
export function createTailCache(): TailCache {
  const keys = createBlock(keyCapacity);
  const text = createBlock(textCapacity);
  // An entry and 1, so that an empty table is all zeros and costs a small input nothing.
  const table = new Int32Array(slots);
  const hashes = new Int32Array(maxEntries);
  const keyAt = new Int32Array(maxEntries + 1);
  const firstPart = new Int32Array(maxEntries + 1);
  const partAt = new Int32Array(partCapacity + 1);
  const tags = new Int32Array(maxEntries);
  const followers = new Int32Array(maxEntries);
  // [entries, previous entry, hash last asked for]
  const state = new Int32Array([0, -1, 0]);

  function matches(entry: number, view: DataView, start: number, length: number): boolean {
    const at = keyAt[entry] ?? 0;
    return (keyAt[entry + 1] ?? 0) - at === length && sameBytes(view, start, keys.view, at, length);
  }

  function find(view: DataView, start: number, end: number): number {
    const length = end - start;
    const previous = state[1] ?? -1;
    // Senders repeat their order: what followed last time is the first guess.
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
    table.fill(0);
    state[0] = 0;
    state[1] = -1;
  }

  function add(bytes: Uint8Array, start: number, end: number, { texts, tag }: Tail): number {
    const size = texts.reduce((sum, piece) => sum + piece.length, 0);
    if (end - start > maxKeySize || size > textCapacity / 4 || texts.length > partCapacity / 4) return -1;
    let entry = state[0] ?? 0;
    let part = firstPart[entry] ?? 0;
    const full =
      entry === maxEntries ||
      (keyAt[entry] ?? 0) + end - start > keyCapacity ||
      (partAt[part] ?? 0) + size > textCapacity ||
      part + texts.length > partCapacity;
    if (full) {
      clear();
      entry = 0;
      part = 0;
    }
    const key = keyAt[entry] ?? 0;
    keys.bytes.set(bytes.subarray(start, end), key);
    keyAt[entry + 1] = key + end - start;
    let at = partAt[part] ?? 0;
    for (const piece of texts) {
      text.bytes.set(piece, at);
      at += piece.length;
      part += 1;
      partAt[part] = at;
    }
    firstPart[entry + 1] = part;
    hashes[entry] = state[2] ?? 0;
    tags[entry] = tag;
    followers[entry] = -1;
    let slot = (state[2] ?? 0) & (slots - 1);
    while ((table[slot] ?? 0) > 0) slot = (slot + 1) & (slots - 1);
    table[slot] = entry + 1;
    const previous = state[1] ?? -1;
    if (previous >= 0) followers[previous] = entry;
    state[0] = entry + 1;
    state[1] = entry;
    return entry;
  }

  return {
    find,
    add,
    text,
    partAt: (entry, part) => partAt[(firstPart[entry] ?? 0) + part] ?? 0,
    parts: (entry) => (firstPart[entry + 1] ?? 0) - (firstPart[entry] ?? 0),
    tag: (entry) => tags[entry] ?? 0,
  };
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
