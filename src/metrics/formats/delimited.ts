import { type Fields, kind } from "../decode/fields.ts";
import { readingOf } from "../decode/reading.ts";
import { encodeReading } from "../reading/codec.ts";
import { type Block, createBlock } from "../wire/block.ts";
import { writeField, writeMoment, writeVarint } from "../wire/write-fields.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";

// Tag, length, tag and the longest varint; a gauge is shorter.
const largestValue = 13;
const largestTime = 24;

/**
 * Prints readings as collectd encodes them, each after its length: a recording. Unknown fields are left out. A tail has
 * the bytes after values and time.
 */
export function createDelimitedPrinter(out: Output): Printer {
  const { view, limit, send, copyBytes } = out;
  let start: Block = createBlock(1024);

  const print: Printer["print"] = (fields, tails, entry) => {
    const most = fields.count * largestValue + largestTime;
    if (most > start.capacity) start = createBlock(2 * most);
    let size = 0;
    for (let index = 0; index < fields.count; index += 1) size = writeOne(fields, index, start.view, size);
    if (fields.time.isSet) size = writeMoment(start.view, size, 0x12, fields.time);
    const [from, to] = [tails.partAt(entry, 0), tails.partAt(entry, 1)];
    let at = out.at > limit ? send(out.at) : out.at;
    at = writeVarint(view, at, 0, size + to - from);
    at = copyBytes(start, 0, size, at);
    out.at = copyBytes(tails.text, from, to, at);
  };

  const tail: Printer["tail"] = (fields) => {
    const reading = readingOf(fields);
    return { texts: [encodeReading({ ...reading, values: [], time: undefined })], tag: 0 };
  };
  return { tail, print };
}

/** Writes a value as a field: a message with one field, or without any if it has no type. */
function writeOne({ kinds, gauges, high, low }: Fields, index: number, view: DataView, at: number): number {
  const which = kinds[index] ?? 0;
  view.setUint8(at, 0x0a);
  let end = at + 2;
  if (which === kind.gauge) {
    view.setUint8(end, 0x11);
    view.setFloat64(end + 1, gauges[index] ?? 0, true);
    end += 9;
  } else if (which !== 0) end = writeField(view, end, which, high[index] ?? 0, low[index] ?? 0);
  view.setUint8(at + 1, end - at - 2);
  return end;
}
