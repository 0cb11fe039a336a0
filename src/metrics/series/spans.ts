import Long from "long";
import { createFields, type Fields } from "../decode/fields.ts";
import { readRest } from "../decode/read-fields.ts";
import { readingOf } from "../decode/reading.ts";
import { encodeReading, type Reading } from "../reading/codec.ts";
import { dataSource } from "../reading/identity.ts";
import type { MessageHandler } from "../stream/messages.ts";
import { type Block, createBlock, padded, slack } from "../wire/block.ts";
import { emptySample, nearestDouble, takeValue } from "./samples.ts";
import { createSeriesNumbers } from "./series-numbers.ts";
import { addTo, type LargeSums, meanOf } from "./sums.ts";

/** Replaces readings by readings of spans, which it passes on as encoded messages. */
export interface Spans {
  /** Called with the cache entry of a series before its first reading. */
  readonly added: (entry: number, fields: Fields) => void;
  /** Adds a reading. A span that has ended is passed to `emit`. */
  readonly push: (fields: Fields, entry: number, emit: MessageHandler) => void;
  /** Passes on the spans that are still open. */
  readonly end: (emit: MessageHandler) => void;
  /** The number of readings that were left out because they were late or had no time. */
  readonly leftOut: () => number;
}

const statistics = ["average", "min", "max", "last"] as const;
// The tag, length and tag that a gauge begins with, and its eight bytes.
const gaugeSize = 11;

/** What readings have in common besides values and time, as it came and as it is passed on for a number of values. */
interface Tail {
  readonly given: Uint8Array;
  count: number;
  encoded: Uint8Array;
}

interface Span {
  start: number;
  tail: Tail;
  /** The number of values, and for each how often it came, its sum, min, max and last. */
  count: number;
  values: Float64Array;
  readonly large: LargeSums;
}

// Numbers for each value.
const width = 5;

/**
 * Replaces the readings of each series in a span of `seconds` by one, with the average, min, max and last of each value;
 * its time is the start of the span. NaN is left out. A reading that belongs to a span before the current one is left out.
 */
export function createSpans(seconds: number): Spans {
  const numbers = createSeriesNumbers();
  // By series, and in the order of their first readings.
  const bySeries: (Span | undefined)[] = [];
  const open: Span[] = [];
  const tails: (Tail | undefined)[] = [];
  const scratch = createFields();
  const sample = emptySample();
  const interval = momentOf(seconds);
  let message: Block = createBlock(1024);
  let time: { readonly start: number; readonly encoded: Uint8Array } = { start: Number.NaN, encoded: new Uint8Array() };
  let leftOut = 0;

  function added(entry: number, fields: Fields): void {
    numbers.added(entry, fields);
    tails[entry] = undefined;
  }

  function tailOf({ bytes, tailAt, tailEnd }: Fields, entry: number): Tail {
    const known = tails[entry];
    if (known !== undefined) return known;
    const given = padded(bytes.subarray(tailAt, tailEnd)).bytes;
    const tail = { given, count: -1, encoded: given };
    tails[entry] = tail;
    return tail;
  }

  function push(fields: Fields, entry: number, emit: MessageHandler): void {
    if (!fields.time.isSet) {
      leftOut += 1;
      return;
    }
    const start = Math.floor((fields.time.seconds + fields.time.nanos / 1e9) / seconds) * seconds;
    const number = numbers.at(entry);
    const span = bySeries[number];
    if (span !== undefined && start < span.start) {
      leftOut += 1;
      return;
    }
    if (span === undefined) {
      const created = {
        start,
        tail: tailOf(fields, entry),
        count: 0,
        values: new Float64Array(width * fields.count),
        large: [],
      };
      bySeries[number] = created;
      open.push(created);
      addValues(created, fields);
      return;
    }
    if (span.start !== start) {
      pass(span, emit);
      span.start = start;
      span.tail = tailOf(fields, entry);
      span.count = 0;
    }
    addValues(span, fields);
  }

  function addValues(span: Span, fields: Fields): void {
    const { count } = fields;
    if (width * count > span.values.length) {
      const larger = new Float64Array(width * count);
      larger.set(span.values);
      span.values = larger;
    }
    const { values } = span;
    for (; span.count < count; span.count += 1) {
      const at = width * span.count;
      values.fill(0, at, at + 2).fill(Number.NaN, at + 2, at + width);
    }
    for (let index = 0; index < count; index += 1) {
      if (fields.kinds[index] === 0) continue;
      takeValue(fields, index, sample);
      const read = nearestDouble(sample);
      if (Number.isNaN(read)) continue;
      const at = width * index;
      values[at] = (values[at] ?? 0) + 1;
      values[at + 1] = addTo(values[at + 1] ?? 0, read, span.large, index);
      // The first comparison is with NaN.
      if (!((values[at + 2] ?? 0) <= read)) values[at + 2] = read;
      if (!((values[at + 3] ?? 0) >= read)) values[at + 3] = read;
      values[at + 4] = read;
    }
  }

  function encodedTail(tail: Tail, count: number): Uint8Array {
    if (tail.count !== count) {
      tail.count = count;
      const { given } = tail;
      scratch.bytes = given;
      scratch.view = new DataView(given.buffer);
      Object.assign(scratch, { count: 0, tailAt: 0, tailEnd: given.length - slack });
      readRest(scratch, true);
      const reading = readingOf(scratch);
      const ds_names = Array.from({ length: count }, (_, index) => {
        const name = dataSource(reading, index, count);
        const prefix = count === 1 && name === "value" ? "" : `${name}_`;
        return statistics.map((statistic) => `${prefix}${statistic}`);
      }).flat();
      tail.encoded = encodeReading({ ...reading, values: [], time: undefined, interval, ds_names });
    }
    return tail.encoded;
  }

  function encodedTime(start: number): Uint8Array {
    if (time.start !== start) time = { start, encoded: encodeReading({ ...nothing, time: momentOf(start) }) };
    return time.encoded;
  }

  function averageOf({ values, large }: Span, index: number): number {
    const at = width * index;
    const [count, sum, min, max] = [values[at] ?? 0, values[at + 1] ?? 0, values[at + 2] ?? 0, values[at + 3] ?? 0];
    return meanOf({ count, sum, min, max }, large, index);
  }

  function pass(span: Span, emit: MessageHandler): void {
    const { start, tail, count, values } = span;
    const begin = encodedTime(start);
    const end = encodedTail(tail, count);
    const size = count * statistics.length * gaugeSize + begin.length + end.length;
    if (size > message.capacity) message = createBlock(2 * size);
    const { bytes, view } = message;
    let at = 0;
    for (let value = 0; value < count; value += 1) {
      for (let statistic = 1; statistic < width; statistic += 1) {
        const read = values[width * value + statistic] ?? 0;
        view.setUint32(at, 0x11_09_0a, true);
        view.setFloat64(at + 3, statistic > 1 ? read : averageOf(span, value), true);
        at += gaugeSize;
      }
    }
    bytes.set(begin, at);
    bytes.set(end, at + begin.length);
    emit(bytes, view, 0, size);
  }

  function end(emit: MessageHandler): void {
    for (const span of open) pass(span, emit);
  }

  return { added, push, end, leftOut: () => leftOut };
}

const nothing: Reading = {
  values: [],
  time: undefined,
  interval: undefined,
  identifier: undefined,
  ds_names: [],
  meta_data: new Map(),
};

function momentOf(seconds: number) {
  const whole = Math.floor(seconds);
  return { seconds: Long.fromNumber(whole), nanos: Math.round((seconds - whole) * 1e9) };
}
