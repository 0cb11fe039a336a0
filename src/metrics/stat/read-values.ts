import { kind, type Scan } from "../fast/scan.ts";
import { createTranscoder, type Printer, useGeneric } from "../fast/transcoder.ts";
import { decodeReading, type Reading } from "../reading/codec.ts";
import { inTimeRange, type TimeRange } from "../reading/select.ts";
import { integerOf, kindOf } from "../reading/values.ts";
import type { MessageHandler } from "../stream/messages.ts";
import { createBlock } from "../wire/block.ts";
import type { Instant } from "./rate.ts";

/** Handles the values of the selected readings. `sourceOf` maps a value to a source, and its result is cached. */
export interface ValueHandlers<S> {
  readonly sourceOf: (reading: Reading, index: number, kind: string) => S;
  readonly value: (source: S, value: number | bigint, at: Instant | undefined) => void;
}

/** Options for reading values. */
export interface ValueOptions {
  readonly lenient: boolean;
  readonly filter?: ((reading: Reading) => boolean) | undefined;
  readonly timeRange?: TimeRange | undefined;
}

const kindNames = ["", "counter", "gauge", "derive", "absolute"] as const;

/** Creates a handler that extracts the values of messages, on the fast path if possible. */
export function readValues<S>(
  { sourceOf, value }: ValueHandlers<S>,
  { lenient, filter, timeRange }: ValueOptions,
): MessageHandler {
  // Indexed by cache entry. Sources are created for each index and type as they occur.
  const tails: { readonly reading: Reading; readonly sources: Map<number, S> }[] = [];
  const decode = (bytes: Uint8Array, start: number, end: number) => decodeReading(bytes, start, end, { lenient });
  const printer: Printer = {
    tail: () => ({ texts: [], tag: 0 }),
    onCached: (entry, reading) => {
      tails[entry] = { reading, sources: new Map() };
    },
    room: () => 0,
    print: (scan, _cache, entry, _view, at) => {
      const tail = tails[entry];
      if (tail === undefined) return useGeneric;
      const moment = scan.numbers[1] === 0 ? undefined : { seconds: scan.seconds[0] ?? 0, nanos: scan.numbers[2] ?? 0 };
      const count = scan.numbers[0] ?? 0;
      for (let index = 0; index < count; index += 1) {
        const which = scan.kinds[index] ?? 0;
        const place = index * 8 + which;
        let source = tail.sources.get(place);
        if (source === undefined) {
          source = sourceOf(tail.reading, index, kindNames[which] ?? "");
          tail.sources.set(place, source);
        }
        value(source, numberAt(scan, index), moment);
      }
      return at;
    },
  };
  const transcode = createTranscoder({ printer, decode, filter, timeRange });
  const nowhere = createBlock(0);

  return (bytes, view, start, end) => {
    if (transcode(bytes, view, start, end, nowhere, 0) !== useGeneric) return true;
    const reading = decode(bytes, start, end);
    if (!inTimeRange(reading, timeRange) || filter?.(reading) === false) return true;
    const { time } = reading;
    const moment = time === undefined ? undefined : { seconds: time.seconds.toNumber(), nanos: time.nanos };
    reading.values.forEach((one, index) => {
      const exact = integerOf(one);
      const read = exact === undefined ? undefined : BigInt(exact);
      const gauge = one.value?.$case === "gauge" ? one.value.gauge : undefined;
      const number = read ?? gauge;
      if (number !== undefined) value(sourceOf(reading, index, kindOf(one)), number, moment);
    });
    return true;
  };
}

function numberAt(scan: Scan, index: number): number | bigint {
  if (scan.kinds[index] === kind.gauge) return scan.gauges[index] ?? 0;
  const bits = (BigInt(scan.high[index] ?? 0) << 32n) | BigInt(scan.low[index] ?? 0);
  return scan.kinds[index] === kind.derive ? BigInt.asIntN(64, bits) : bits;
}
