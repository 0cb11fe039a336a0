/** One of the limited places of a semaphore. */
export interface Slot {
  /** Waits for a place; returns at once if this slot has one. */
  readonly acquire: () => Promise<void>;
  /** Gives the place to the next slot that waits; does nothing if this slot has none. */
  readonly release: () => void;
}

/**
 * Returns a function that makes slots. At most `max` of them hold a place at a time, in the order in which they asked.
 * p-limit does not fit: it limits functions that it calls, but here a place is acquired in one call and released in
 * another.
 */
export function semaphore(max: number): () => Slot {
  const waiting: (() => void)[] = [];
  let free = max;
  return () => {
    let held: Promise<void> | undefined;
    const wait = async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    };
    return {
      acquire() {
        held ??= wait();
        return held;
      },
      release() {
        if (held === undefined) return;
        held = undefined;
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      },
    };
  };
}
