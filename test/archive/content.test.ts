import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { forEachEntry } from "../../src/archive/content.ts";
import { quietSignal } from "../support/tongs.ts";

const items = Array.from({ length: 1000 }, (_, index) => index);

describe("working on the entries of an archive", () => {
  it("handles each one, four at a time", async () => {
    const seen: number[] = [];
    let [running, most] = [0, 0];
    await forEachEntry(items, quietSignal(), async (item) => {
      running += 1;
      most = Math.max(most, running);
      await pause(0);
      seen.push(item);
      running -= 1;
    });
    expect(seen.sort((one, other) => one - other)).toEqual(items);
    expect(most).toBe(4);
  });

  it("throws the first error, starts nothing after it, and waits for what was started", async () => {
    const [started, ended]: [number[], number[]] = [[], []];
    const work = forEachEntry(items, quietSignal(), async (item) => {
      started.push(item);
      try {
        if (item >= 2) throw new Error(`item ${item}`);
        await pause(20);
      } finally {
        ended.push(item);
      }
    });
    await expect(work).rejects.toThrow("item 2");
    expect(started.length).toBeLessThanOrEqual(4);
    expect(ended.sort()).toEqual(started.sort());
  });

  it("throws the signal's reason when aborted", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const seen: number[] = [];
    const work = forEachEntry(items, stop.signal, async (item) => {
      seen.push(item);
      if (item === 10) stop.abort(reason);
    });
    await expect(work).rejects.toBe(reason);
    expect(seen.length).toBeLessThan(20);
  });
});
