import { type Labels, sourceName } from "../reading/identity.ts";
import type { Instant } from "../stat/groups.ts";

/** A data source by its last reading. */
export interface TopSeries {
  readonly key: string;
  readonly labels: Labels;
  /** The number of its series in `Meters`. */
  meter: number;
  /** Seconds between readings, 0 if unknown. */
  interval: number;
  /** Seconds since 1970. */
  time: number;
  last: Instant;
  /** The last value of a gauge, or the last rate per second of a counter; undefined without two readings, NaN after a reset. */
  value: number | undefined;
  /** What it is more than before. */
  change: number | undefined;
  /** Whether more than two of its readings are missing. */
  isStale: boolean;
}

type Compare = (one: TopSeries, other: TopSeries) => number;

const isCounter = ({ labels }: TopSeries) => labels.kind !== "gauge";
const compare = <T>(one: T, other: T) => (one === other ? 0 : one < other ? -1 : 1);
const byName: Compare = ({ labels: one }, { labels: other }) => compare(sourceName(one), sourceName(other));

/** The greatest first; what is stale, not known, or not a number, comes last. */
function greatest(key: (one: TopSeries) => number | undefined): Compare {
  return (one, other) => {
    const [mine, others] = [key(one) ?? Number.NaN, key(other) ?? Number.NaN];
    const byKey = compare(Number.isNaN(mine), Number.isNaN(others)) || compare(others || 0, mine || 0);
    return compare(one.isStale, other.isStale) || byKey || byName(one, other);
  };
}

/** How series can be sorted: by the rates of counters, the values of gauges, how much either changed, or the host. */
export const orders = {
  rate: greatest((one) => (isCounter(one) ? one.value : undefined)),
  value: greatest((one) => (isCounter(one) ? undefined : one.value)),
  change: greatest(({ change }) => change && Math.abs(change)),
  host: (one: TopSeries, other: TopSeries) => compare(one.labels.host, other.labels.host) || byName(one, other),
} as const;

export type Order = keyof typeof orders;

export const orderNames = Object.keys(orders) as readonly Order[];
