import { type Fields, kind } from "../decode/fields.ts";
import { kindNames } from "../decode/series.ts";
import { emptySample, nearestDouble, takeValue } from "../series/samples.ts";
import { cellsMaker } from "./cells.ts";
import { createRowDigest, emptyCells, seriesDigest } from "./row-digest.ts";
import { numberColumns } from "./schema.ts";
import { microseconds, nanoseconds } from "./times.ts";

const [timeAt, exactAt, valueAt] = ["time", "time_ns", "value"].map((name) => numberColumns.indexOf(name));
const integersAt = kindNames.map((name) => numberColumns.indexOf(name));

/** Creates the digest of no readings. */
export function createReadingDigest() {
  const digest = createRowDigest();
  const cellsOf = cellsMaker();
  // By entry, then by the value's index and type.
  const known: number[][] = [];
  const cells = emptyCells();
  const sample = emptySample();
  const time = { high: 0, low: 0 };
  const double = new Float64Array(1);
  const doubleWords = new Int32Array(double.buffer);

  function put(column: number | undefined, low: number, high: number): void {
    if (column === undefined) return;
    cells.words[2 * column] = low;
    cells.words[2 * column + 1] = high;
    cells.present |= 1 << column;
  }

  function add(fields: Fields, entry: number): void {
    const ofEntry = known[entry] ?? [];
    known[entry] = ofEntry;
    for (let index = 0; index < fields.count; index += 1) {
      takeValue(fields, index, sample);
      const place = index * kindNames.length + sample.kind;
      const series = ofEntry[place] ?? seriesDigest(cellsOf(fields, index));
      ofEntry[place] = series;
      cells.present = 0;
      if (nanoseconds(fields.time, time)) {
        put(exactAt, time.low, time.high);
        microseconds(time, time);
        put(timeAt, time.low, time.high);
      }
      if (sample.kind !== 0) {
        const value = nearestDouble(sample);
        double[0] = Number.isNaN(value) ? Number.NaN : value;
        put(valueAt, doubleWords[0] ?? 0, doubleWords[1] ?? 0);
      }
      if (sample.kind !== 0 && sample.kind !== kind.gauge) put(integersAt[sample.kind], sample.low, sample.high);
      digest.add(series, cells);
    }
  }

  /** Forgets what is known of an entry, which another series has now. */
  const forget = (entry: number) => {
    known[entry] = [];
  };
  return { add, forget, text: digest.text };
}
