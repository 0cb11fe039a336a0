/** Random choices that are the same in every run. */
export interface Choices {
  /** An integer from 0 to below a number. */
  below(limit: number): number;
  /** One of some values. */
  pick<T>(values: readonly T[]): T;
  /** A text of less than `limit` parts. */
  text(parts: readonly string[], limit: number): string;
}

/** A seeded random number generator (mulberry32), from 0 to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Choices by the numbers of a seed. */
export function choicesFrom(seed: number): Choices {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error("nothing to pick from");
    return values[below(values.length)] as T;
  };
  return {
    below,
    pick,
    text: (parts, limit) => Array.from({ length: below(limit) }, () => pick(parts)).join(""),
  };
}
