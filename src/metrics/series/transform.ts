import Long from "long";
import { type TypesDb, typeSource } from "../encode/types-db.ts";
import type { Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts, partOf } from "../reading/identity.ts";
import { kindOf } from "../reading/values.ts";
import { createMeters, rateOf } from "./rates.ts";
import { emptySample, sampleOf } from "./read-values.ts";

/** A step between decoding and printing that replaces readings by others. */
export interface Transform {
  readonly push: (reading: Reading) => readonly Reading[];
  /** The readings that are still held back at the end of the input. */
  readonly end: () => Iterable<Reading>;
  /** The number of readings that were left out because they were late or had no time. */
  readonly leftOut: () => number;
}

/** The key of a series, for maps. */
function keyOf(reading: Reading): string {
  return JSON.stringify(identityParts.map((part) => partOf(reading, part)));
}

function gauge(value: number): Value {
  return { value: { $case: "gauge", gauge: value } };
}

/**
 * Replaces counters, derives and absolute values by their rates per second, as gauges. The first reading of a series has
 * no rate, and is left out; after a reset, and outside the limits of types.db, the rate is NaN.
 */
export function createRates(types: TypesDb | undefined): Transform {
  const meters = createMeters();
  const all = new Map<string, number[]>();
  const sample = emptySample();
  let leftOut = 0;

  function push(reading: Reading): readonly Reading[] {
    const key = keyOf(reading);
    const known = all.get(key);
    const series = known ?? [];
    if (known === undefined) all.set(key, series);
    let rates = 0;
    let others = 0;
    const values = reading.values.map((value, index) => {
      const kind = kindOf(value);
      if (kind === "" || kind === "gauge" || !sampleOf(reading, index, sample)) {
        others += 1;
        return value;
      }
      const limits = typeSource(types, partOf(reading, "type"), reading.ds_names[index] ?? "");
      const meter = series[index] ?? meters.add(limits);
      series[index] = meter;
      const step = meters.step(meter, sample);
      if (step === undefined) return gauge(Number.NaN);
      rates += 1;
      return gauge(rateOf(step));
    });
    if (rates > 0 || others > 0) return [{ ...reading, values }];
    if (known !== undefined && reading.values.length > 0) leftOut += 1;
    return [];
  }

  return { push, end: () => [], leftOut: () => leftOut };
}

const statistics = ["average", "min", "max", "last"] as const;

interface Bucket {
  start: number;
  readonly reading: Reading;
  readonly values: { count: number; sum: number; min: number; max: number; last: number }[];
}

/**
 * Replaces the readings of each series in a span of `seconds` by one, with the average, min, max and last of each value;
 * its time is the start of the span. NaN is left out. A reading that belongs to a span before the current one is left out.
 */
export function createSpans(seconds: number): Transform {
  const open = new Map<string, Bucket>();
  let leftOut = 0;

  function push(reading: Reading): readonly Reading[] {
    if (reading.time === undefined) {
      leftOut += 1;
      return [];
    }
    const start = Math.floor((reading.time.seconds.toNumber() + reading.time.nanos / 1e9) / seconds) * seconds;
    const key = keyOf(reading);
    const current = open.get(key);
    if (current !== undefined && start < current.start) {
      leftOut += 1;
      return [];
    }
    const bucket = current?.start === start ? current : { start, reading, values: [] };
    addValues(bucket, reading);
    open.set(key, bucket);
    return current === undefined || current === bucket ? [] : [spanOf(current)];
  }

  function addValues({ values }: Bucket, reading: Reading): void {
    reading.values.forEach(({ value }, index) => {
      values[index] ??= { count: 0, sum: 0, min: Number.NaN, max: Number.NaN, last: Number.NaN };
      const held = values[index];
      if (held === undefined || value === undefined) return;
      const read = value.$case === "gauge" ? value.gauge : Number(Object.values(value)[1]);
      if (Number.isNaN(read)) return;
      held.count += 1;
      held.sum += read;
      held.last = read;
      // The first comparison is with NaN.
      if (!(held.min <= read)) held.min = read;
      if (!(held.max >= read)) held.max = read;
    });
  }

  function spanOf({ start, reading, values }: Bucket): Reading {
    const name = (index: number) => reading.ds_names[index] ?? "";
    const prefix = (index: number) =>
      values.length === 1 && ["", "value"].includes(name(index)) ? "" : `${name(index)}_`;
    const whole = Math.floor(start);
    const span = Math.floor(seconds);
    return {
      ...reading,
      time: { seconds: Long.fromNumber(whole), nanos: Math.round((start - whole) * 1e9) },
      interval: { seconds: Long.fromNumber(span), nanos: Math.round((seconds - span) * 1e9) },
      values: values.flatMap(({ count, sum, min, max, last }) =>
        [count === 0 ? Number.NaN : sum / count, min, max, last].map(gauge),
      ),
      ds_names: values.flatMap((_, index) => statistics.map((statistic) => `${prefix(index)}${statistic}`)),
    };
  }

  function* end() {
    for (const bucket of open.values()) yield spanOf(bucket);
  }
  return { push, end, leftOut: () => leftOut };
}

/** Applies one transform after another. */
export function chain(first: Transform, second: Transform): Transform {
  const push = (reading: Reading) => first.push(reading).flatMap(second.push);
  function* end() {
    for (const reading of first.end()) yield* second.push(reading);
    yield* second.end();
  }
  return { push, end, leftOut: () => first.leftOut() + second.leftOut() };
}
