import { describe, expect, it } from "vitest";
import { semaphore } from "../../src/download/semaphore.ts";

/** Waits until all pending callbacks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("slots", () => {
  it("are held by a limited number at a time, in the order of the requests", async () => {
    const next = semaphore(2);
    const going: number[] = [];
    const all = [0, 1, 2, 3].map((index) => {
      const slot = next();
      void slot.acquire().then(() => going.push(index));
      return slot;
    });
    await settled();
    expect(going).toEqual([0, 1]);
    all[1]?.release();
    await settled();
    expect(going).toEqual([0, 1, 2]);
    all[0]?.release();
    await settled();
    expect(going).toEqual([0, 1, 2, 3]);
  });

  it("count once, however often they are acquired and released", async () => {
    const next = semaphore(1);
    const [one, other, third] = [next(), next(), next()];
    await one.acquire();
    await one.acquire();
    one.release();
    one.release();
    await other.acquire();
    let went = false;
    void third.acquire().then(() => {
      went = true;
    });
    await settled();
    expect(went).toBe(false);
    other.release();
    await settled();
    expect(went).toBe(true);
  });
});
