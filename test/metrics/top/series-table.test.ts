import { describe, expect, test } from "vitest";
import type { Order } from "../../../src/metrics/top/order.ts";
import { createTopTable } from "../../../src/metrics/top/series-table.ts";
import { slack } from "../../../src/metrics/wire/block.ts";
import { readingWith } from "../forward/readings.ts";

const load = (host: string) => ({ host, plugin: "load", plugin_instance: "", type: "load", type_instance: "" });

/** A table with a clock that the test sets, in seconds. */
function scene(given: Partial<Parameters<typeof createTopTable>[0]> = {}) {
  const clock = { now: 1000 };
  const none = { filter: undefined, timeRange: {}, names: undefined, types: undefined };
  const table = createTopTable({ ...none, now: () => new Date(clock.now * 1000), ...given });
  const take = (value: Parameters<typeof readingWith>[0], seconds: number, host = "a") => {
    const encoded = readingWith(value, seconds, load(host));
    const padded = new Uint8Array(encoded.length + slack);
    padded.set(encoded);
    table.handle(padded, new DataView(padded.buffer), 0, encoded.length);
  };
  const hosts = (order: Order) => table.snapshot(order, 100).rows.map(({ labels }) => labels.host);
  const only = () => table.snapshot("host", 1).rows[0];
  return { clock, table, take, hosts, only };
}

describe("the series that top shows", () => {
  test("are gauges as they are and counters as rates, with what both changed by", () => {
    const { take, only } = scene();
    take({ gauge: 2 }, 990);
    expect(only()).toMatchObject({ value: 2, change: undefined });
    take({ gauge: 0.5 }, 1000);
    expect(only()).toMatchObject({ value: 0.5, change: -1.5, time: 1000 });
    const counter = scene();
    counter.take({ derive: 100n }, 970);
    expect([counter.only()?.value, counter.table.unrated()]).toEqual([undefined, 10]);
    counter.take({ derive: 300n }, 980);
    expect([counter.only()?.value, counter.table.unrated()]).toEqual([20, 0]);
    counter.take({ derive: 600n }, 990);
    expect(counter.only()).toMatchObject({ value: 30, change: 10 });
    // A reset has no rate, and nothing is more than it.
    counter.take({ derive: 5n }, 1000);
    expect(counter.only()).toMatchObject({ value: Number.NaN, change: undefined });
  });

  test("ignore readings that come again, late ones, and those ahead of the clock, which are counted", () => {
    const { take, only, table } = scene();
    for (const [derive, seconds] of [
      [100n, 980],
      [300n, 990],
      [300n, 990],
      [100n, 980],
      [100n, 970],
      [900n, 2000],
      [500n, 1000],
    ] as const)
      take({ derive }, seconds);
    expect(only()).toMatchObject({ value: 20, time: 1000 });
    expect(table.snapshot("rate", 1).ahead).toBe(1);
  });

  test("are stale when more than two readings are missing, whatever the clocks of the hosts say, and come last", () => {
    const { take, table, hosts, clock } = scene();
    // The clocks of the hosts are an hour behind.
    clock.now = 4600;
    take({ gauge: 100 }, 960, "dead");
    take({ gauge: 1 }, 1000, "a");
    expect(hosts("value")).toEqual(["a", "dead"]);
    expect(table.snapshot("value", 1)).toMatchObject({ series: 2, hosts: 2, stale: 1 });
    expect(hosts("host")).toEqual(["a", "dead"]);
    clock.now += 30;
    expect(table.snapshot("value", 1).stale).toBe(1);
    // Nothing comes any more.
    clock.now += 6;
    expect(table.snapshot("value", 1).stale).toBe(2);
    take({ gauge: 50 }, 1036, "dead");
    expect([hosts("value"), table.snapshot("value", 1).stale]).toEqual([["dead", "a"], 1]);
  });

  test("are at most so many: stale ones make room for new ones, and can come back", () => {
    const { take, table, clock, hosts } = scene({ maxSeries: 2 });
    take({ derive: 1n }, 990, "a");
    take({ derive: 1n }, 990, "b");
    take({ derive: 1n }, 1000, "c");
    expect([hosts("host"), table.snapshot("host", 1).isFull]).toEqual([["a", "b"], true]);
    for (clock.now = 1010; clock.now <= 1040; clock.now += 10) take({ derive: BigInt(clock.now) }, clock.now, "b");
    take({ derive: 1n }, 1040, "c");
    expect([hosts("host"), table.snapshot("host", 1).isFull]).toEqual([["b", "c"], false]);
    for (clock.now = 1050; clock.now <= 1080; clock.now += 10) take({ derive: BigInt(clock.now) }, clock.now, "c");
    take({ derive: 5n }, 1080, "a");
    expect(hosts("host")).toEqual(["a", "c"]);
    // It starts anew: what it had before it was removed is forgotten.
    expect(table.snapshot("host", 1).rows[0]).toMatchObject({ value: undefined, change: undefined });
    take({ derive: 25n }, 1090, "a");
    expect(table.snapshot("host", 1).rows[0]).toMatchObject({ value: 2 });
  });
});
