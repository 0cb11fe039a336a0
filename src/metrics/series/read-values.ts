import { kind, type Scan } from "../fast/scan.ts";
import { createTranscoder, type Printer, useGeneric } from "../fast/transcoder.ts";
import { decodeReading, type Reading } from "../reading/codec.ts";
import { inTimeRange, type TimeRange } from "../reading/select.ts";
import { kindOf } from "../reading/values.ts";
import type { MessageHandler } from "../stream/messages.ts";
import { createBlock } from "../wire/block.ts";

/** A value of a reading. Integers are in `high` and `low`, two halves of 32 bits; a gauge is in `gauge`. */
export interface Sample {
  /** The field number of the type in `collectd.types.Value`; see `kind`. */
  kind: number;
  gauge: number;
  high: number;
  low: number;
  /** Whether the reading has a time. */
  timed: boolean;
  seconds: number;
  nanos: number;
}

/** Handles the values of the selected readings. `sourceOf` maps a value to a source, and its result is cached. */
export interface ValueHandlers<S> {
  readonly sourceOf: (reading: Reading, index: number, kind: string) => S;
  /** The sample is reused by the next call. */
  readonly value: (source: S, sample: Sample) => void;
}

/** Options for reading values. */
export interface ValueOptions {
  readonly lenient: boolean;
  readonly filter?: ((reading: Reading) => boolean) | undefined;
  readonly timeRange?: TimeRange | undefined;
}

const kindNames = ["", "counter", "gauge", "derive", "absolute"] as const;
// Enough for the values of a reading on the fast path and their types.
const places = 512;

/** Creates a handler that extracts the values of messages, on the fast path if possible. */
export function readValues<S>(
  { sourceOf, value }: ValueHandlers<S>,
  { lenient, filter, timeRange }: ValueOptions,
): MessageHandler {
  // By cache entry: the type and source of the first value, which is all that most readings have.
  const firstKinds: number[] = [];
  const firstSources: S[] = [];
  const otherSources = new Map<number, S>();
  const sample = emptySample();
  const message: { bytes: Uint8Array; start: number; end: number } = { bytes: new Uint8Array(), start: 0, end: 0 };
  const decode = (bytes: Uint8Array, start: number, end: number) => decodeReading(bytes, start, end, { lenient });

  let latest: { readonly entry: number; readonly reading: Reading } | undefined;

  /** Decodes the message only if it is not the one that was cached last. */
  function newSource(entry: number, index: number, which: number): S {
    const kind = kindNames[which] ?? "";
    if (latest?.entry === entry) return sourceOf(latest.reading, index, kind);
    return sourceOf(decode(message.bytes, message.start, message.end), index, kind);
  }

  function sourceAt(entry: number, index: number, which: number): S {
    if (index === 0 && firstKinds[entry] === which) return firstSources[entry] as S;
    const place = entry * places + index * 8 + which;
    const known = otherSources.get(place);
    if (known !== undefined) return known;
    const found = newSource(entry, index, which);
    if (index === 0 && (firstKinds[entry] ?? 0) === 0) {
      firstKinds[entry] = which;
      firstSources[entry] = found;
    } else otherSources.set(place, found);
    return found;
  }

  const printer: Printer = {
    tail: () => ({ texts: [], tag: 0 }),
    onCached: (entry, reading) => {
      latest = { entry, reading };
      // The cache starts from 0 again when it is full.
      if (entry === 0) otherSources.clear();
      firstKinds[entry] = 0;
    },
    room: () => 0,
    print: (scan, _cache, entry, _view, at) => {
      takeTime(scan, sample);
      const count = scan.numbers[0] ?? 0;
      for (let index = 0; index < count; index += 1) {
        const which = scan.kinds[index] ?? 0;
        sample.kind = which;
        sample.gauge = scan.gauges[index] ?? 0;
        sample.high = (scan.high[index] ?? 0) | 0;
        sample.low = (scan.low[index] ?? 0) | 0;
        value(sourceAt(entry, index, which), sample);
      }
      return at;
    },
  };
  const transcode = createTranscoder({ printer, decode, filter, timeRange });
  const nowhere = createBlock(0);

  return (bytes, view, start, end) => {
    message.bytes = bytes;
    message.start = start;
    message.end = end;
    if (transcode(bytes, view, start, end, nowhere, 0) !== useGeneric) return true;
    const reading = decode(bytes, start, end);
    if (!inTimeRange(reading, timeRange) || filter?.(reading) === false) return true;
    reading.values.forEach((_, index) => {
      if (!sampleOf(reading, index, sample)) return;
      value(sourceOf(reading, index, kindNames[sample.kind] ?? ""), sample);
    });
    return true;
  };
}

/** An empty sample. */
export function emptySample(): Sample {
  return { kind: 0, gauge: 0, high: 0, low: 0, timed: false, seconds: 0, nanos: 0 };
}

function takeTime(scan: Scan, sample: Sample): void {
  sample.timed = scan.numbers[1] === 1;
  sample.seconds = scan.seconds[0] ?? 0;
  sample.nanos = scan.numbers[2] ?? 0;
}

/** Puts a value of a decoded reading into `sample`; false if it has no type. */
export function sampleOf({ values, time }: Reading, index: number, sample: Sample): boolean {
  const one = values[index];
  const read = one?.value;
  if (one === undefined || read === undefined) return false;
  const name = kindOf(one);
  sample.kind = name === "" ? 0 : kind[name];
  sample.timed = time !== undefined;
  sample.seconds = time?.seconds.toNumber() ?? 0;
  sample.nanos = time?.nanos ?? 0;
  if (read.$case === "gauge") sample.gauge = read.gauge;
  else {
    const long = read.$case === "counter" ? read.counter : read.$case === "derive" ? read.derive : read.absolute;
    sample.high = long.getHighBits();
    sample.low = long.getLowBits();
  }
  return true;
}

/** The value of a sample: exact for integers. */
export function exactValue(sample: Sample): number | bigint {
  if (sample.kind === kind.gauge) return sample.gauge;
  const bits = (BigInt(sample.high >>> 0) << 32n) | BigInt(sample.low >>> 0);
  return sample.kind === kind.derive ? BigInt.asIntN(64, bits) : bits;
}

/** The value of a sample as the nearest double. */
export function nearestDouble({ kind: which, gauge, high, low }: Sample): number {
  if (which === kind.gauge) return gauge;
  return (which === kind.derive ? high | 0 : high >>> 0) * 2 ** 32 + (low >>> 0);
}
