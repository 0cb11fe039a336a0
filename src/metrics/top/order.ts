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

/** The greatest first; what is not known, or not a number, comes last. */
function greatest(key: (one: TopSeries) => number | undefined): Compare {
  const number = (one: TopSeries) => {
    const known = key(one);
    return known === undefined || Number.isNaN(known) ? undefined : known;
  };
  return (one, other) => {
    const [mine, others] = [number(one), number(other)];
    if (mine === undefined || others === undefined) return Number(mine === undefined) - Number(others === undefined);
    return mine === others ? 0 : others > mine ? 1 : -1;
  };
}

/** Compares by one rule after another. */
function by(...rules: readonly Compare[]): Compare {
  return (one, other) => {
    for (const rule of rules) {
      const result = rule(one, other);
      if (result !== 0) return result;
    }
    return 0;
  };
}

const isCounter = ({ labels }: TopSeries) => labels.kind !== "gauge";
const staleLast: Compare = (one, other) => Number(one.isStale) - Number(other.isStale);
const byName: Compare = (one, other) => (sourceName(one.labels) < sourceName(other.labels) ? -1 : 1);
const byHost: Compare = ({ labels: one }, { labels: other }) =>
  one.host === other.host ? 0 : one.host < other.host ? -1 : 1;

/** How series can be sorted: by the rates of counters, the values of gauges, how much either changed, or the host. */
export const orders = {
  rate: by(
    staleLast,
    greatest((one) => (isCounter(one) ? one.value : undefined)),
    byName,
  ),
  value: by(
    staleLast,
    greatest((one) => (isCounter(one) ? undefined : one.value)),
    byName,
  ),
  change: by(
    staleLast,
    greatest(({ change }) => change && Math.abs(change)),
    byName,
  ),
  host: by(byHost, byName),
} as const;

export type Order = keyof typeof orders;

export const orderNames = Object.keys(orders) as readonly Order[];
