import { describe, expect, it } from "vitest";
import { inOrder } from "../../src/system/concurrency.ts";

/** Work that ends when the test says so. */
function held() {
  const ends = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  const begun: number[] = [];
  return {
    begun,
    work: (item: number) => {
      begun.push(item);
      return new Promise<string>((resolve, reject) => ends.set(item, { resolve: () => resolve(`r${item}`), reject }));
    },
    end: (item: number) => ends.get(item)?.resolve(),
    fail: (item: number) => ends.get(item)?.reject(new Error(`e${item}`)),
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
async function* slowly(items: readonly number[]) {
  for (const item of items) {
    await turn();
    yield item;
  }
}
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("inOrder", () => {
  it.each([
    ["of a list", upTo(50)],
    ["of a source that takes its time", slowly(upTo(50))],
  ])("yields the results %s in order, however long each takes", async (_what, items) => {
    const work = async (item: number) => {
      for (let wait = 0; wait < (item * 7) % 5; wait += 1) await turn();
      return item;
    };
    expect(await all(inOrder(items, 4, work))).toEqual(upTo(50));
  });

  it("yields nothing for no items", async () => {
    expect(await all(inOrder([], 4, async (item) => item))).toEqual([]);
    expect(await all(inOrder(slowly([]), 4, async (item) => item))).toEqual([]);
  });

  it("runs a number of jobs at a time, also while the reader is busy", async () => {
    const { begun, work, end } = held();
    const results = inOrder(upTo(10), 2, work);
    const first = results.next();
    await turn();
    expect(begun).toEqual([0, 1]);
    end(0);
    expect((await first).value).toBe("r0");
    // Work continues although the next result is not read.
    end(1);
    end(2);
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    for (const item of upTo(10)) {
      end(item);
      await turn();
    }
    expect(await all(results)).toEqual(
      upTo(10)
        .slice(1)
        .map((item) => `r${item}`),
    );
  });

  it("does not accumulate results behind a slow one", async () => {
    const { begun, work, end } = held();
    const results = inOrder(slowly(upTo(1_000)), 2, work);
    const first = results.next();
    for (let round = 0; round < 200; round += 1) {
      for (const item of begun.slice(1)) end(item);
      await turn();
    }
    expect(begun.length).toBeLessThanOrEqual(2 * 8);
    end(0);
    expect((await first).value).toBe("r0");
    await results.return();
  });

  it("throws an error in its place and starts nothing after it", async () => {
    const { begun, work, end, fail } = held();
    const found: string[] = [];
    const reading = (async () => {
      for await (const result of inOrder(upTo(10), 3, work)) found.push(result);
    })();
    await turn();
    fail(1);
    await turn();
    end(2);
    await turn();
    expect(begun).toEqual([0, 1, 2]);
    end(0);
    await expect(reading).rejects.toThrow("e1");
    expect(found).toEqual(["r0"]);
  });

  it("throws an error of the source after the results before it", async () => {
    async function* broken() {
      yield 0;
      yield 1;
      throw new Error("the file is gone");
    }
    const found: number[] = [];
    const reading = async () => {
      for await (const result of inOrder(broken(), 4, async (item) => item)) found.push(result);
    };
    await expect(reading()).rejects.toThrow("the file is gone");
    expect(found).toEqual([0, 1]);
  });

  it("closes the source if the reader stops", async () => {
    let closed = false;
    async function* source() {
      try {
        for (let item = 0; ; item += 1) yield item;
      } finally {
        closed = true;
      }
    }
    for await (const result of inOrder(source(), 4, async (item) => item)) if (result === 5) break;
    expect(closed).toBe(true);
  });
});
