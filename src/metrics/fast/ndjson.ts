import { readingMembers } from "../formats/json.ts";
import { utf8Bytes } from "../wire/utf8.ts";
import { createClock } from "./clock.ts";
import { copyText } from "./copy-text.ts";
import { writeDouble, writeSigned, writeText, writeUnsigned } from "./digits.ts";
import { literal, writeLiteral } from "./literal.ts";
import type { Printer } from "./printer.ts";
import { quickJsonTail } from "./quick-json-tail.ts";
import { kind, type Scan } from "./scan.ts";

// Longest possible text of one value with its name, and of all that is neither value nor tail.
const valueRoom = 64;
const frameRoom = 96;

/** One reading a line, in canonical JSON. */
export function createNdjsonPrinter(): Printer {
  // Taken out of the import once, not at every value.
  const { counter: counterKind, derive: deriveKind, gauge: gaugeKind } = kind;
  const clock = createClock();
  const begin = literal('{"values":[');
  const counter = literal('{"counter":"');
  const gauge = literal('{"gauge":');
  const derive = literal('{"derive":"');
  const absolute = literal('{"absolute":"');
  const time = literal('],"time":"');

  function writeValue(scan: Scan, index: number, view: DataView, at: number): number {
    const which = scan.kinds[index];
    if (which === gaugeKind) {
      at = writeLiteral(view, at, gauge);
      const value = scan.gauges[index] ?? 0;
      at = Number.isFinite(value) ? writeDouble(view, at, value) : writeText(view, at, `"${value}"`);
      view.setUint16(at, 0x2c7d, true); // },
      return at + 2;
    }
    const high = scan.high[index] ?? 0;
    const low = scan.low[index] ?? 0;
    if (which === deriveKind) at = writeSigned(view, writeLiteral(view, at, derive), high, low);
    else at = writeUnsigned(view, writeLiteral(view, at, which === counterKind ? counter : absolute), high, low);
    view.setUint32(at, 0x2c7d22, true); // "},
    return at + 3;
  }

  return {
    tail: (reading) => {
      const members = readingMembers(reading);
      return { texts: [utf8Bytes(members === "" ? "}\n" : `,${members}}\n`)], tag: 0 };
    },
    quickTail: quickJsonTail(),
    room: (scan, cache, entry) =>
      frameRoom + (scan.numbers[0] ?? 0) * valueRoom + cache.partAt(entry, 1) - cache.partAt(entry, 0),
    print: (scan, cache, entry, view, at) => {
      const count = scan.numbers[0] ?? 0;
      // What is missing moves the commas; that is rare enough for the generic way.
      if (count === 0 || scan.numbers[1] === 0) return -1;
      at = writeLiteral(view, at, begin);
      for (let index = 0; index < count; index += 1) at = writeValue(scan, index, view, at);
      at = writeLiteral(view, at - 1, time);
      at = clock(view, at, scan.seconds[0] ?? 0, scan.numbers[2] ?? 0);
      view.setUint8(at, 0x22);
      const from = cache.partAt(entry, 0);
      return copyText(cache.text.view, from, cache.partAt(entry, 1) - from, view, at + 1);
    },
  };
}
