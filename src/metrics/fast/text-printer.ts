import { type SeriesColumn, textMetadata, textName, textSecond, textSeries, timeWidth } from "../formats/text.ts";
import { createBlock, literal } from "../wire/block.ts";
import { utf8Bytes } from "../wire/text.ts";
import { kind, maxValues, type Scan } from "./scan.ts";
import type { TailCache } from "./tail-cache.ts";
import type { Printer } from "./transcoder.ts";
import { copyText, writeDouble, writeFour, writeLiteral, writeSigned, writeText, writeUnsigned } from "./write.ts";

// Maximum number of bytes for a value with its type, and for the time and the spaces of a line.
const valueSize = 64;
const frameSize = 128;

/**
 * Prints one line per reading. A tail has the series, the end of the line, and a name for each value; its tag is the width
 * of the series and the number of names.
 */
export function createTextPrinter({ utc, column }: { readonly utc: boolean; readonly column: SeriesColumn }): Printer {
  // Read these from the import once instead of for each value.
  const { derive: deriveKind, gauge: gaugeKind } = kind;
  const clock = createTextClock(utc);
  const kindTexts = ["", " (counter)", " (gauge)", " (derive)", " (absolute)"].map(literal);
  const unnamed = literal("value=");
  const nothing = literal("");

  function writeValue(scan: Scan, index: number, view: DataView, at: number): number {
    const which = scan.kinds[index] ?? 0;
    if (which === gaugeKind) {
      const value = scan.gauges[index] ?? 0;
      return Number.isFinite(value) ? writeDouble(view, at, value) : writeText(view, at, String(value));
    }
    const write = which === deriveKind ? writeSigned : writeUnsigned;
    return write(view, at, scan.high[index] ?? 0, scan.low[index] ?? 0);
  }

  function writeName(cache: TailCache, entry: number, index: number, view: DataView, at: number): number {
    if (index >= cache.tag(entry) % tagBase) return writeLiteral(view, at, unnamed);
    const name = cache.partAt(entry, 2 + index);
    at = copyText(cache.text.view, name, cache.partAt(entry, 3 + index) - name, view, at);
    view.setUint8(at, 0x3d);
    return at + 1;
  }

  return {
    tail: (reading) => {
      const series = textSeries(reading);
      const names = reading.ds_names.slice(0, maxValues).map((_, index) => textName(reading, index));
      const texts = [series, textMetadata(reading), ...names].map(utf8Bytes);
      return { texts, tag: series.length * tagBase + names.length };
    },
    room: (scan, cache, entry) => {
      const tail = cache.partAt(entry, cache.parts(entry)) - cache.partAt(entry, 0);
      return frameSize + tail + (scan.numbers[0] ?? 0) * valueSize;
    },
    print: (scan, cache, entry, view, at) => {
      const count = scan.numbers[0] ?? 0;
      if (count === 0) return -1;
      at = clock(view, at, scan);
      const series = cache.partAt(entry, 0);
      const metadata = cache.partAt(entry, 1);
      const length = Math.floor(cache.tag(entry) / tagBase);
      at = copyText(cache.text.view, series, metadata - series, view, at);
      at = writeSpaces(view, at, Math.max(0, column(length) - length) + 2);
      let isUniform = true;
      for (let index = 1; index < count; index += 1) isUniform &&= scan.kinds[index] === scan.kinds[0];
      for (let index = 0; index < count; index += 1) {
        if (index > 0) at = writeSpaces(view, at, 1);
        at = writeValue(scan, index, view, writeName(cache, entry, index, view, at));
        if (!isUniform || index === count - 1)
          at = writeLiteral(view, at, kindTexts[scan.kinds[index] ?? 0] ?? nothing);
      }
      return copyText(cache.text.view, metadata, cache.partAt(entry, 2) - metadata, view, at);
    },
  };
}

// Above the number of names in a tag.
const tagBase = maxValues * 2;

function writeSpaces(view: DataView, at: number, count: number): number {
  for (let index = 0; index < count; index += 4) view.setInt32(at + index, 0x20202020, true);
  return at + count;
}

/** Writes the column of times with the space after it. Caches the last second. */
function createTextClock(utc: boolean) {
  const cached = createBlock(32);
  const width = timeWidth(utc);
  let second = Number.NaN;
  let length = 0;
  return (view: DataView, at: number, scan: Scan): number => {
    const end = at + width + 2;
    if (scan.numbers[1] === 0) return writeSpaces(view, writeText(view, at, "-"), width + 1);
    const seconds = scan.seconds[0] ?? 0;
    if (second !== seconds) {
      second = seconds;
      length = writeText(cached.view, 0, textSecond(seconds, utc));
    }
    at = copyText(cached.view, 0, length, view, at);
    // The decimal point overwrites the leading zero of the four digits.
    writeFour(view, at, Math.floor((scan.numbers[2] ?? 0) / 1_000_000));
    view.setUint8(at, 0x2e);
    at += 4;
    if (utc) {
      view.setUint8(at, 0x5a);
      at += 1;
    }
    return writeSpaces(view, at, Math.max(2, end - at));
  };
}
