/** One of those that want to do something of which only so many may be under way at once. */
export interface Turn {
  /** Waits until it may; at once when it may already. */
  readonly take: () => Promise<void>;
  /** Lets the next one. */
  readonly give: () => void;
}

/** Lets at most so many be under way, in the order in which they asked. */
export function semaphore(most: number): () => Turn {
  const waiting: (() => void)[] = [];
  let free = most;
  return () => {
    let mine: Promise<void> | undefined;
    const wait = async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    };
    return {
      take() {
        mine ??= wait();
        return mine;
      },
      give() {
        if (mine === undefined) return;
        mine = undefined;
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      },
    };
  };
}
