import type { DecoderOptions } from "../decode/decoder.ts";
import type { Series } from "../decode/series.ts";
import { type TypesDb, typeSource } from "../encode/types-db.ts";
import { type Labels, sourceKey } from "../reading/identity.ts";
import { intervalOf, nearestSeconds } from "../reading/moments.ts";
import type { NamesLike } from "../reading/names-like.ts";
import { isAhead } from "../series/ahead.ts";
import { gaugeOrRate, isGap } from "../series/curve.ts";
import { createMeters } from "../series/meters.ts";
import { readValues, type Sample } from "../series/samples.ts";
import { type Order, orders, type TopSeries } from "./order.ts";

/** What is read, and the most series that are kept. */
interface TableOptions extends Pick<DecoderOptions, "filter" | "timeRange"> {
  readonly names: NamesLike | undefined;
  readonly types: TypesDb | undefined;
  readonly now: () => Date;
  readonly maxSeries?: number;
}

/** All series at a moment. */
export interface TopSnapshot {
  /** The first ones. */
  readonly rows: readonly TopSeries[];
  readonly series: number;
  readonly hosts: number;
  readonly stale: number;
  /** Whether there are more series than are kept. */
  readonly isFull: boolean;
  /** How many values were left out because they are ahead of the clock. */
  readonly ahead: number;
}

export const maxTopSeries = 100_000;

// As in collectd.
const usualInterval = 10;

/**
 * Creates an empty table. A reading that is not newer than the last one of its series is ignored, so that readings may be read
 * again. If there are too many series, the stale ones make room for new ones.
 */
export function createTopTable(options: TableOptions) {
  const { names, types, now, maxSeries = maxTopSeries, ...selected } = options;
  const meters = createMeters();
  const all = new Map<string, TopSeries>();
  // The time of the newest reading, by the clocks of the hosts, and when it came, by this one.
  const newest = { time: Number.NEGATIVE_INFINITY, came: 0 };
  let ahead = 0;
  let isFull = false;
  let mayMakeRoom = true;

  const seconds = () => now().getTime() / 1000;

  function sourceOf(reading: Series, labels: Labels): TopSeries | undefined {
    if (names?.has(labels) === false) return undefined;
    const key = sourceKey(labels);
    const known = all.get(key);
    const interval = intervalOf(reading.interval);
    if (known !== undefined) known.interval = interval;
    const nothing = { time: Number.NEGATIVE_INFINITY, last: { seconds: 0, nanos: 0 }, value: undefined };
    return known ?? { key, labels, meter: -1, interval, ...nothing, change: undefined, isStale: false };
  }

  /** Adds a series; false if there are too many. */
  function add(one: TopSeries): boolean {
    if (all.size >= maxSeries) makeRoom();
    isFull = all.size >= maxSeries;
    if (isFull) return false;
    one.meter = meters.add(typeSource(types, one.labels.type, one.labels.ds_name));
    one.time = Number.NEGATIVE_INFINITY;
    one.change = undefined;
    all.set(one.key, one);
    return true;
  }

  /** Removes stale series, at most once between two snapshots: it looks at all of them. */
  function makeRoom(): void {
    if (!mayMakeRoom) return;
    mayMakeRoom = false;
    markStale();
    for (const [key, { isStale, meter }] of all) {
      if (!isStale) continue;
      all.delete(key);
      meters.remove(meter);
    }
  }

  function value(source: TopSeries | undefined, sample: Sample): void {
    if (source === undefined || !sample.timed) return;
    // The decoder remembers those that were removed.
    const one = all.get(source.key) ?? source;
    const time = nearestSeconds(sample);
    if (isAhead(time, one.interval, seconds())) {
      ahead += 1;
      return;
    }
    if (one !== all.get(source.key) ? !add(one) : time <= one.time) return;
    if (time > newest.time) Object.assign(newest, { time, came: seconds() });
    one.time = time;
    one.last = { seconds: sample.seconds, nanos: sample.nanos };
    const latest = gaugeOrRate(meters, one.meter, sample)?.value;
    const change = (latest ?? Number.NaN) - (one.value ?? Number.NaN);
    one.change = Number.isNaN(change) ? undefined : change;
    one.value = latest;
  }

  /** By the clocks of the hosts: that of this machine may differ. */
  function markStale(): void {
    const there = newest.time + seconds() - newest.came;
    for (const one of all.values()) one.isStale = isGap(one.interval || usualInterval, there - one.time);
  }

  /** The first `most` series in an order. Those that are stale come last, but not by host. */
  function snapshot(order: Order, most: number): TopSnapshot {
    mayMakeRoom = true;
    markStale();
    const hosts = new Set<string>();
    let stale = 0;
    for (const { labels, isStale } of all.values()) {
      hosts.add(labels.host);
      if (isStale) stale += 1;
    }
    const rows = [...all.values()].sort(orders[order]).slice(0, most);
    return { rows, series: all.size, hosts: hosts.size, stale, isFull, ahead };
  }

  /** The longest interval, in seconds, of counters that have no rate yet; 0 if all have one. */
  function unrated(): number {
    let longest = 0;
    for (const { labels, value, interval } of all.values())
      if (labels.kind !== "gauge" && value === undefined) longest = Math.max(longest, interval || usualInterval);
    return longest;
  }

  const wanted = names?.hasAny;
  const handle = readValues({ sourceOf, value }, { ...selected, lenient: true, ...(wanted && { wanted }) });
  return { handle, snapshot, unrated };
}
