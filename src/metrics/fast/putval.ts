import { putvalHead } from "../formats/putval.ts";
import { utf8Bytes } from "../wire/utf8.ts";
import { copyText } from "./copy-text.ts";
import { writeDouble, writeFraction, writeSigned, writeText, writeUnsigned, writeWhole } from "./digits.ts";
import type { Printer } from "./printer.ts";
import { kind, type Scan } from "./scan.ts";

const valueRoom = 32;
const timeRoom = 48;

/** One PUTVAL line a reading. The text of a tail is the line up to its time. */
export function createPutvalPrinter(): Printer {
  // Taken out of the import once, not at every value.
  const { derive: deriveKind, gauge: gaugeKind } = kind;
  function writeValue(scan: Scan, index: number, view: DataView, at: number): number {
    if (scan.kinds[index] !== gaugeKind) {
      const write = scan.kinds[index] === deriveKind ? writeSigned : writeUnsigned;
      return write(view, at, scan.high[index] ?? 0, scan.low[index] ?? 0);
    }
    const value = scan.gauges[index] ?? 0;
    if (Number.isFinite(value)) return writeDouble(view, at, value);
    return writeText(view, at, Number.isNaN(value) ? "U" : value > 0 ? "inf" : "-inf");
  }

  return {
    tail: (reading) => ({ texts: [utf8Bytes(putvalHead(reading))], tag: 0 }),
    room: (scan, cache, entry) =>
      timeRoom + (scan.numbers[0] ?? 0) * valueRoom + cache.partAt(entry, 1) - cache.partAt(entry, 0),
    print: (scan, cache, entry, view, at) => {
      const count = scan.numbers[0] ?? 0;
      if (count === 0) return -1;
      const head = cache.partAt(entry, 0);
      at = copyText(cache.text.view, head, cache.partAt(entry, 1) - head, view, at);
      if (scan.numbers[1] === 0) {
        view.setUint8(at, 0x4e);
        at += 1;
      } else {
        at = writeFraction(view, writeWhole(view, at, scan.seconds[0] ?? 0), scan.numbers[2] ?? 0);
      }
      for (let index = 0; index < count; index += 1) {
        view.setUint8(at, 0x3a);
        at = writeValue(scan, index, view, at + 1);
      }
      view.setUint8(at, 0x0a);
      return at + 1;
    },
  };
}
