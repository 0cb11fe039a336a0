/** The right to do something that only so many may do at a time. */
export interface Slot {
  /** Waits for the right; returns at once when it is held already. */
  readonly acquire: () => Promise<void>;
  /** Gives it to the next one that waits; does nothing when it is not held. */
  readonly release: () => void;
}

/**
 * Makes slots of which at most so many are held at a time, given in the order in which they were asked for. (p-limit
 * limits functions that it calls itself; here the right is acquired within one call and released within another.)
 */
export function semaphore(most: number): () => Slot {
  const waiting: (() => void)[] = [];
  let free = most;
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
