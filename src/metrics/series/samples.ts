import { createDecoder, type DecoderOptions } from "../decode/decoder.ts";
import { type Fields, kind } from "../decode/fields.ts";
import { kindNames, type Series, seriesOf } from "../decode/series.ts";
import { type Labels, labelsOf } from "../reading/identity.ts";
import type { MessageHandler } from "../stream/messages.ts";

/** A value of a reading. Integers are in `high` and `low`, two halves of 32 bits; a gauge is in `gauge`. */
export interface Sample {
  /** The field number of the type in `collectd.types.Value`; see `kind`. */
  kind: number;
  gauge: number;
  high: number;
  low: number;
  /** The number of the reading, which its values have in common. */
  reading: number;
  /** Whether the reading has a time. */
  timed: boolean;
  seconds: number;
  nanos: number;
}

/** Handles the values of the selected readings. `sourceOf` maps a value to a source, and its result is cached. */
export interface ValueHandlers<S> {
  readonly sourceOf: (series: Series, labels: Labels) => S;
  /** The sample is reused by the next call. */
  readonly value: (source: S, sample: Sample) => void;
}

/** Creates a handler that passes on the values of messages. */
export function readValues<S>(
  { sourceOf, value }: ValueHandlers<S>,
  options: Pick<DecoderOptions, "lenient" | "filter" | "timeRange" | "wanted">,
): MessageHandler {
  // By cache entry: the place and source of the value that came first, which is all that most readings have.
  const firstPlaces: number[] = [];
  const firstSources: S[] = [];
  const otherSources: ({ readonly source: S } | undefined)[][] = [];
  const none: { readonly source: S }[] = [];
  const sample = emptySample();
  let latest: { readonly entry: number; readonly series: Series } | undefined;

  function added(entry: number, fields: Fields): void {
    latest = { entry, series: seriesOf(fields) };
    firstPlaces[entry] = 0;
    otherSources[entry] = none;
  }

  function newSource(entry: number, index: number, which: number): S {
    const series = latest?.entry === entry ? latest.series : seriesOf(decoder.fields);
    return sourceOf(series, labelsOf(series, index, decoder.fields.count, kindNames[which] ?? ""));
  }

  /** A value alone has a place of its own: what it is called depends on whether there are others. */
  function sourceAt(entry: number, index: number, which: number): S {
    const place = (decoder.fields.count === 1 ? 0 : index + 1) * kindNames.length + which;
    if (firstPlaces[entry] === place) return firstSources[entry] as S;
    const known = otherSources[entry]?.[place];
    if (known !== undefined) return known.source;
    const source = newSource(entry, index, which);
    if (firstPlaces[entry] === 0) {
      firstPlaces[entry] = place;
      firstSources[entry] = source;
    } else {
      if (otherSources[entry] === none) otherSources[entry] = [];
      const others = otherSources[entry];
      if (others !== undefined) others[place] = { source };
    }
    return source;
  }

  const decoder = createDecoder({ ...options, added });
  const { fields, read } = decoder;
  return (bytes, view, start, end) => {
    const entry = read(bytes, view, start, end);
    if (entry < 0) return true;
    takeTime(fields, sample);
    for (let index = 0; index < fields.count; index += 1) {
      const which = fields.kinds[index] ?? 0;
      if (which === 0) continue;
      takeValue(fields, index, sample);
      value(sourceAt(entry, index, which), sample);
    }
    return true;
  };
}

/** An empty sample. */
export function emptySample(): Sample {
  return { kind: 0, gauge: 0, high: 0, low: 0, reading: 0, timed: false, seconds: 0, nanos: 0 };
}

/** Begins with the next reading, and puts its time into `sample`. */
export function takeTime({ time }: Fields, sample: Sample): void {
  sample.reading += 1;
  sample.timed = time.isSet;
  sample.seconds = time.isSet ? time.seconds : 0;
  sample.nanos = time.isSet ? time.nanos : 0;
}

/** Puts a value of a reading into `sample`. */
export function takeValue({ kinds, gauges, high, low }: Fields, index: number, sample: Sample): void {
  sample.kind = kinds[index] ?? 0;
  sample.gauge = gauges[index] ?? 0;
  sample.high = (high[index] ?? 0) | 0;
  sample.low = (low[index] ?? 0) | 0;
}

/** The value of a sample: exact for integers. */
export function exactValue(sample: Sample): number | bigint {
  if (sample.kind === kind.gauge) return sample.gauge;
  const bits = (BigInt(sample.high >>> 0) << 32n) | BigInt(sample.low >>> 0);
  return sample.kind === kind.derive ? BigInt.asIntN(64, bits) : bits;
}

/** The value of a sample as the nearest double. */
export function nearestDouble(value: Pick<Sample, "kind" | "gauge" | "high" | "low">): number {
  const { kind: which, gauge, high, low } = value;
  if (which === kind.gauge) return gauge;
  return (which === kind.derive ? high | 0 : high >>> 0) * 2 ** 32 + (low >>> 0);
}
