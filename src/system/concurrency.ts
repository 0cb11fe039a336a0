import { pMapIterable } from "p-map";

/** How many results can wait to be read, for each job. */
const waitingPerJob = 8;

/**
 * Runs `work` on items, `jobs` at a time, and yields the results in the order of the items, by p-map. Work goes on while
 * the reader is busy, until eight results a job wait to be read, so memory does not grow with the number of items. An
 * error of `work` or of the source is thrown in its place, and nothing is started after it. To collect all results at
 * once use p-map itself.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | readonly T[],
  jobs: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const options = { concurrency: jobs, backpressure: jobs * waitingPerJob };
  const boxed = async (item: T) => ({ result: await work(item) });
  for await (const { result } of pMapIterable(items, boxed, options)) yield result;
}

/** Makes `work` run once for each key of its arguments; it then has the same result, also if that is a rejected promise. */
export function once<A extends readonly unknown[], R>(
  keyOf: (...args: A) => string,
  work: (...args: A) => R,
): (...args: A) => R {
  const known = new Map<string, { readonly result: R }>();
  return (...args) => {
    const key = keyOf(...args);
    const found = known.get(key) ?? { result: work(...args) };
    known.set(key, found);
    return found.result;
  };
}

/**
 * Waits for all promises, as `Promise.all` does, but throws the first error in their order only after all have settled:
 * no request is still running when the command ends.
 */
export async function allSettledOrThrow<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(work);
  for (const result of settled) if (result.status === "rejected") throw result.reason;
  return Promise.all(work);
}
