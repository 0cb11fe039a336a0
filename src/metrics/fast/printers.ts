import { csvMetadata, csvName, csvSeries } from "../formats/csv.ts";
import { readingMembers } from "../formats/json.ts";
import { putvalHead } from "../formats/putval.ts";
import { literal } from "../wire/block.ts";
import { utf8Bytes } from "../wire/text.ts";
import { createJsonTail } from "./json-tail.ts";
import { kind, maxValues, type Scan } from "./scan.ts";
import type { Printer } from "./transcoder.ts";
import {
  copyText,
  createClock,
  writeDouble,
  writeFraction,
  writeLiteral,
  writeSigned,
  writeText,
  writeUnsigned,
  writeWhole,
} from "./write.ts";

// Maximum number of bytes for a value and for the fixed parts of a reading, in each format.
const ndjsonSize = { value: 64, frame: 96 } as const;
const csvSize = { row: 96 } as const;
const putvalSize = { value: 32, time: 48 } as const;

/** Prints one reading per line as canonical JSON. */
export function createNdjsonPrinter(): Printer {
  // Read these from the import once instead of for each value.
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
    rawTail: createJsonTail(),
    room: (scan, cache, entry) =>
      ndjsonSize.frame + (scan.numbers[0] ?? 0) * ndjsonSize.value + cache.partAt(entry, 1) - cache.partAt(entry, 0),
    print: (scan, cache, entry, view, at) => {
      const count = scan.numbers[0] ?? 0;
      // Without values or a time the commas differ; that is rare, so leave it to the generic path.
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

const csvKinds = ["", ",counter,", ",gauge,", ",derive,", ",absolute,"];

/** Prints one row per value. A tail has the cells of the series, the last cell, and a cell for the name of each value. */
export function createCsvPrinter(): Printer {
  // Read these from the import once instead of for each value.
  const { derive: deriveKind, gauge: gaugeKind } = kind;
  const clock = createClock();

  function writeValue(scan: Scan, index: number, view: DataView, at: number): number {
    const which = scan.kinds[index] ?? 0;
    at = writeText(view, at, csvKinds[which] ?? "");
    if (which === gaugeKind) {
      const value = scan.gauges[index] ?? 0;
      return Number.isFinite(value) ? writeDouble(view, at, value) : writeText(view, at, String(value));
    }
    const write = which === deriveKind ? writeSigned : writeUnsigned;
    return write(view, at, scan.high[index] ?? 0, scan.low[index] ?? 0);
  }

  return {
    tail: (reading) => {
      const names = reading.ds_names.slice(0, maxValues).map((_, index) => csvName(reading, index));
      return { texts: [csvSeries(reading), csvMetadata(reading), ...names].map(utf8Bytes), tag: names.length };
    },
    room: (scan, cache, entry) => {
      const tail = cache.partAt(entry, cache.parts(entry)) - cache.partAt(entry, 0);
      return (scan.numbers[0] ?? 0) * (csvSize.row + tail);
    },
    print: (scan, cache, entry, view, at) => {
      const count = scan.numbers[0] ?? 0;
      const names = cache.tag(entry);
      const series = cache.partAt(entry, 0);
      const metadata = cache.partAt(entry, 1);
      const metadataEnd = cache.partAt(entry, 2);
      const text = cache.text.view;
      for (let index = 0; index < count; index += 1) {
        if (scan.numbers[1] === 1) {
          // The time is RFC 3339 in every format.
          at = clock(view, at, scan.seconds[0] ?? 0, scan.numbers[2] ?? 0);
        }
        at = copyText(text, series, metadata - series, view, at);
        if (index < names) {
          const name = cache.partAt(entry, 2 + index);
          at = copyText(text, name, cache.partAt(entry, 3 + index) - name, view, at);
        }
        at = copyText(text, metadata, metadataEnd - metadata, view, writeValue(scan, index, view, at));
      }
      return at;
    },
  };
}

/** Prints one PUTVAL line per reading. A tail has the line up to the time. */
export function createPutvalPrinter(): Printer {
  // Read these from the import once instead of for each value.
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
      putvalSize.time + (scan.numbers[0] ?? 0) * putvalSize.value + cache.partAt(entry, 1) - cache.partAt(entry, 0),
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
