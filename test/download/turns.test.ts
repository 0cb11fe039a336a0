import { describe, expect, it } from "vitest";
import { semaphore } from "../../src/download/turns.ts";

/** Lets everything that can go on do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("turns", () => {
  it("are given to so many at once, in the order in which they were asked for", async () => {
    const next = semaphore(2);
    const going: number[] = [];
    const all = [0, 1, 2, 3].map((index) => {
      const turn = next();
      void turn.take().then(() => going.push(index));
      return turn;
    });
    await settled();
    expect(going).toEqual([0, 1]);
    all[1]?.give();
    await settled();
    expect(going).toEqual([0, 1, 2]);
    all[0]?.give();
    await settled();
    expect(going).toEqual([0, 1, 2, 3]);
  });

  it("count once, however often they are taken and given", async () => {
    const next = semaphore(1);
    const [one, other, third] = [next(), next(), next()];
    await one.take();
    await one.take();
    one.give();
    one.give();
    await other.take();
    let went = false;
    void third.take().then(() => {
      went = true;
    });
    await settled();
    expect(went).toBe(false);
    other.give();
    await settled();
    expect(went).toBe(true);
  });
});
