import { type Fields, kind } from "../decode/fields.ts";
import { exactSeconds, isUsual, timestampText } from "../reading/moments.ts";
import { literal } from "../wire/block.ts";
import { createJsonTail } from "./json-tail.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";
import { createClock, writeDouble, writeLiteral, writeSigned, writeText, writeUnsigned } from "./write.ts";

/**
 * Prints the canonical JSON of readings, one on a line or as the items of an array: protobuf's JSON mapping with the original
 * field names. As extensions, a time or interval out of range is an object with `seconds` and `nanos`, and a last key
 * `invalid_utf8` lists the strings that are not UTF-8 and were written with `displayText`.
 */
export function createJsonPrinter(out: Output, array: boolean): Printer {
  const { view, limit, send, copy } = out;
  // Read these from the import once instead of for each value.
  const { counter: counterKind, derive: deriveKind, gauge: gaugeKind } = kind;
  const clock = createClock();
  const tail = createJsonTail();
  const begin = literal('{"values":[');
  const counter = literal('{"counter":"');
  const gauge = literal('{"gauge":');
  const derive = literal('{"derive":"');
  const absolute = literal('{"absolute":"');
  const time = literal('],"time":"');
  let isFirst = true;

  function writeValue(fields: Fields, index: number, at: number): number {
    const which = fields.kinds[index];
    if (which === gaugeKind) {
      at = writeLiteral(view, at, gauge);
      const value = fields.gauges[index] ?? 0;
      at = Number.isFinite(value) ? writeDouble(view, at, value) : writeText(view, at, `"${value}"`);
      view.setUint16(at, 0x2c7d, true); // },
      return at + 2;
    }
    const high = fields.high[index] ?? 0;
    const low = fields.low[index] ?? 0;
    if (which === deriveKind) at = writeSigned(view, writeLiteral(view, at, derive), high, low);
    else if (which === 0) return writeText(view, at, "{},");
    else at = writeUnsigned(view, writeLiteral(view, at, which === counterKind ? counter : absolute), high, low);
    view.setUint32(at, 0x2c7d22, true); // "},
    return at + 3;
  }

  /** Writes a time that is not usual, or none, after the comma of the last value. */
  function writeOddTime({ count, time: moment }: Fields, at: number): number {
    at = count > 0 ? writeText(view, at - 1, "],") : at;
    if (!moment.isSet) return at;
    const text = timestampText(moment);
    const shown = text === undefined ? `{"seconds":"${exactSeconds(moment)}","nanos":${moment.nanos}}` : `"${text}"`;
    return writeText(view, at, `"time":${shown},`);
  }

  const print: Printer["print"] = (fields, tails, entry) => {
    const { count, time: moment } = fields;
    let at = out.at;
    if (at > limit) at = send(at);
    if (array) at = writeText(view, at, isFirst ? "[\n" : ",\n");
    isFirst = false;
    at = count > 0 ? writeLiteral(view, at, begin) : writeText(view, at, "{");
    for (let index = 0; index < count; index += 1) {
      if (at > limit) at = sendBut(at);
      at = writeValue(fields, index, at);
    }
    let from = tails.partAt(entry, 0);
    if (count > 0 && moment.isSet && isUsual(moment)) {
      at = writeLiteral(view, at - 1, time);
      at = clock(view, at, moment.seconds, moment.nanos);
      view.setUint8(at, 0x22);
      at += 1;
    } else {
      at = writeOddTime(fields, at);
      // The comma of what comes before, or none.
      if (count > 0 || moment.isSet) at -= 1;
      else if (tails.partAt(entry, 1) - from > 1) from += 1;
    }
    at = copy(tails.text, from, tails.partAt(entry, 1), at);
    if (!array) {
      view.setUint8(at, 0x0a);
      at += 1;
    }
    out.at = at;
  };

  /** Sends all but the last byte, which is a comma that may have to go. */
  function sendBut(at: number): number {
    const last = view.getUint8(at - 1);
    send(at - 1);
    view.setUint8(0, last);
    return 1;
  }

  return {
    tail: (fields) => ({ texts: [tail.members(fields)], tag: 0 }),
    print,
    ...(array && { end: () => out.put(isFirst ? "[]\n" : "\n]\n") }),
  };
}
