import { type Fields, kind } from "../decode/fields.ts";
import { seriesOf } from "../decode/series.ts";
import { type TypesDb, typeSource } from "../encode/types-db.ts";
import { partOf } from "../reading/identity.ts";
import { createMeters, rateOf } from "./meters.ts";
import { emptySample, takeTime, takeValue } from "./samples.ts";
import { createSeriesNumbers } from "./series-numbers.ts";

/** Replaces the values of readings by rates, in place; `leftOut` counts those that were late or had no time. */
export type Rates = ReturnType<typeof createRates>;

/**
 * Replaces counters, derives and absolute values by their rates per second, as gauges. The first reading of a series has
 * no rate, and is left out; after a reset, and outside the limits of types.db, the rate is NaN.
 */
export function createRates(types: TypesDb | undefined) {
  const meters = createMeters();
  const numbers = createSeriesNumbers();
  // By series: the meters of its values, once it has had a reading.
  const known: (number[] | undefined)[] = [];
  const sample = emptySample();
  let leftOut = 0;

  function newMeter(fields: Fields, index: number): number {
    const series = seriesOf(fields);
    return meters.add(typeSource(types, partOf(series, "type"), series.ds_names[index] ?? ""));
  }

  /** Returns false if the reading is left out. */
  function push(fields: Fields, entry: number): boolean {
    const { count, kinds, gauges } = fields;
    const number = numbers.at(entry);
    const before = known[number];
    const series = before ?? [];
    known[number] = series;
    let isKept = false;
    takeTime(fields, sample);
    for (let index = 0; index < count; index += 1) {
      const which = kinds[index] ?? 0;
      if (which === 0 || which === kind.gauge) {
        isKept = true;
        continue;
      }
      takeValue(fields, index, sample);
      const meter = series[index] ?? newMeter(fields, index);
      series[index] = meter;
      const step = meters.step(meter, sample);
      kinds[index] = kind.gauge;
      gauges[index] = step === undefined ? Number.NaN : rateOf(step);
      isKept ||= step !== undefined;
    }
    if (!isKept && before !== undefined && count > 0) leftOut += 1;
    return isKept;
  }

  return { added: numbers.added, push, leftOut: () => leftOut };
}
