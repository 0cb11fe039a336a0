import { describe, expect, test } from "vitest";
import { namesLike } from "../../../src/metrics/reading/names-like.ts";
import { identityFilter } from "../../../src/metrics/reading/select.ts";
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

  test("are sorted by rate, value, change in either direction, and host", () => {
    const { take, hosts } = scene();
    take({ gauge: 7 }, 990, "d");
    take({ gauge: 9 }, 990, "b");
    take({ gauge: Number.NaN }, 990, "n");
    for (const [host, step] of [
      ["a", 10n],
      ["c", 1000n],
    ] as const) {
      take({ derive: 0n }, 970, host);
      take({ derive: step }, 980, host);
      take({ derive: step * 3n }, 990, host);
    }
    take({ gauge: 5 }, 1000, "d");
    expect(hosts("rate")).toEqual(["c", "a", "b", "d", "n"]);
    expect(hosts("value")).toEqual(["b", "d", "a", "c", "n"]);
    expect(hosts("change")).toEqual(["c", "d", "a", "b", "n"]);
    expect(hosts("host")).toEqual(["a", "b", "c", "d", "n"]);
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

  test("are those that are selected by their labels, names and times", () => {
    const filter = identityFilter({
      host: ["a*"],
      plugin: [],
      plugin_instance: [],
      type: [],
      type_instance: [],
    });
    const { take, hosts } = scene({
      filter,
      names: namesLike(["a1/*", "b/*"]),
      timeRange: { since: { seconds: 900, nanos: 0 } },
    });
    for (const host of ["a1", "a2", "b"]) take({ gauge: 1 }, 990, host);
    take({ gauge: 1 }, 800, "a1x");
    expect(hosts("host")).toEqual(["a1"]);
  });
});
