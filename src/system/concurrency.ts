/** How many results may wait, done, for one before them, for each job. */
const ahead = 8;

/**
 * Works on items several at once and yields the results in the order of the items. `jobs` are under way as long as
 * there are items, whatever the reader of the results does in the meantime; only some more are kept waiting for a slow
 * one before them or for the reader, so memory does not grow with the number of items. After a failure nothing more is
 * begun, and it comes in its place.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | readonly T[],
  jobs: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const queue: Promise<R>[] = [];
  let running = 0;
  let ended = false;
  let reading = false;
  let wake = () => {};

  function end(): void {
    ended = true;
    wake();
  }
  function begin(next: IteratorResult<T, unknown>): void {
    if (next.done) {
      end();
      return;
    }
    running += 1;
    const result = work(next.value);
    queue.push(result);
    result.then(() => {
      running -= 1;
      fill();
    }, end);
    wake();
  }
  function fill(): void {
    while (!ended && !reading && running < jobs && queue.length < jobs * ahead) {
      const next = source.next();
      if (!("then" in next)) begin(next);
      else {
        reading = true;
        next.then(
          (item) => {
            reading = false;
            begin(item);
            fill();
          },
          (error: unknown) => {
            const failed = Promise.reject(error);
            failed.catch(() => undefined);
            queue.push(failed);
            end();
          },
        );
      }
    }
  }

  try {
    fill();
    for (;;) {
      const first = queue[0];
      if (first !== undefined) {
        const result = await first;
        void queue.shift();
        fill();
        yield result;
      } else if (ended) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    ended = true;
    await source.return?.();
  }
}

/**
 * Waits for several requests that are under way together, and only then throws the first failure, in their order: so
 * that none of them is left behind when the command ends.
 */
export async function allSettledOrThrow<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(work);
  for (const result of settled) if (result.status === "rejected") throw result.reason;
  return Promise.all(work);
}
