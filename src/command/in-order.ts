/** How many results may wait, done, for one before them, for each job. */
const ahead = 8;

/**
 * Works on items several at once and yields the results in the order of the items. At most `jobs` are under way, and
 * only some more are kept waiting for a slow one before them, so memory does not grow with the number of items.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  jobs: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const queue: { readonly result: Promise<R>; settled: boolean }[] = [];
  let running = 0;
  let freed = () => {};
  for await (const item of items) {
    const entry = { result: work(item), settled: false };
    running += 1;
    const end = () => {
      entry.settled = true;
      running -= 1;
      freed();
    };
    entry.result.then(end, end);
    queue.push(entry);
    while (running >= jobs || queue.length >= jobs * ahead) {
      if (queue[0]?.settled || queue.length >= jobs * ahead) yield await (queue.shift()?.result as Promise<R>);
      else
        await new Promise<void>((resolve) => {
          freed = resolve;
        });
    }
  }
  for (const { result } of queue) yield await result;
}
