import { csvMetadata, csvName, csvSeries } from "../formats/csv.ts";
import { utf8Bytes } from "../wire/utf8.ts";
import { createClock } from "./clock.ts";
import { copyText } from "./copy-text.ts";
import { writeDouble, writeSigned, writeText, writeUnsigned } from "./digits.ts";
import type { Printer } from "./printer.ts";
import { kind, mostValues, type Scan } from "./scan.ts";

const kinds = ["", ",counter,", ",gauge,", ",derive,", ",absolute,"];
// Time, kind and value of one row at their longest.
const rowRoom = 96;

/** One row a value. The texts of a tail: the series' cells, one cell for each possible value's name, the last cell. */
export function createCsvPrinter(): Printer {
  // Taken out of the import once, not at every value.
  const { derive: deriveKind, gauge: gaugeKind } = kind;
  const clock = createClock();

  function writeValue(scan: Scan, index: number, view: DataView, at: number): number {
    const which = scan.kinds[index] ?? 0;
    at = writeText(view, at, kinds[which] ?? "");
    if (which === gaugeKind) {
      const value = scan.gauges[index] ?? 0;
      return Number.isFinite(value) ? writeDouble(view, at, value) : writeText(view, at, String(value));
    }
    const write = which === deriveKind ? writeSigned : writeUnsigned;
    return write(view, at, scan.high[index] ?? 0, scan.low[index] ?? 0);
  }

  return {
    tail: (reading) => {
      const names = reading.ds_names.slice(0, mostValues).map((_, index) => csvName(reading, index));
      return { texts: [csvSeries(reading), csvMetadata(reading), ...names].map(utf8Bytes), tag: names.length };
    },
    room: (scan, cache, entry) => {
      const tail = cache.partAt(entry, cache.parts(entry)) - cache.partAt(entry, 0);
      return (scan.numbers[0] ?? 0) * (rowRoom + tail);
    },
    print: (scan, cache, entry, view, at) => {
      const count = scan.numbers[0] ?? 0;
      const names = cache.tag(entry);
      const series = cache.partAt(entry, 0);
      const metadata = cache.partAt(entry, 1);
      const behind = cache.partAt(entry, 2);
      const text = cache.text.view;
      for (let index = 0; index < count; index += 1) {
        if (scan.numbers[1] === 1) {
          // The clock's zone letter stays: RFC 3339 is the same in every format.
          at = clock(view, at, scan.seconds[0] ?? 0, scan.numbers[2] ?? 0);
        }
        at = copyText(text, series, metadata - series, view, at);
        if (index < names) {
          const name = cache.partAt(entry, 2 + index);
          at = copyText(text, name, cache.partAt(entry, 3 + index) - name, view, at);
        }
        at = copyText(text, metadata, behind - metadata, view, writeValue(scan, index, view, at));
      }
      return at;
    },
  };
}
