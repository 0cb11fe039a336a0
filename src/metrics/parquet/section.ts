import { type Fields, kind } from "../decode/fields.ts";
import { seriesOf } from "../decode/series.ts";
import { displayText } from "../wire/text.ts";
import { cellsMaker } from "./cells.ts";
import { createSeriesTable } from "./series-table.ts";
import { untimed } from "./sort-rows.ts";
import { createSorter } from "./sorter.ts";
import { bucketOf, nanoseconds, noBucket } from "./times.ts";

// Up to 400 MB with all that is kept of them.
const maxSeries = 2 ** 18;
const maxText = 2 ** 25;
// Types of collectd have some dozens.
const maxLists = 1000;

/**
 * Creates an empty section, sorted by spans of time, if there is one, then by series and by time. `names` gets the names of
 * the values of readings with several, each list as JSON.
 */
export function createSection(span: "day" | "hour" | undefined, folder: () => string, names: Set<string>) {
  const table = createSeriesTable();
  const order = () => table.order(span !== undefined);
  const sorter = createSorter(() => order().series, folder);
  const cellsOf = cellsMaker();
  // The series of the first value of an entry, and of all others.
  const firsts: number[] = [];
  const others: (number[] | undefined)[] = [];
  // By series.
  const kinds: number[] = [];
  const time = { high: 0, low: 0 };
  const gauge = new Float64Array(1);
  const gaugeWords = new Int32Array(gauge.buffer);

  /** Keeps the names of the values of a reading, unless the lists are so many that they are made up. */
  function keepNames(fields: Fields): void {
    const { ds_names } = seriesOf(fields);
    if (names.size < maxLists)
      names.add(JSON.stringify(Array.from({ length: fields.count }, (_, index) => displayText(ds_names[index] ?? ""))));
  }

  function seriesAt(fields: Fields, entry: number, index: number, bucket: number): number {
    const which = fields.kinds[index] ?? 0;
    const known = (index === 0 ? firsts[entry] : others[entry]?.[index]) ?? -1;
    if (known >= 0 && kinds[known] === which && table.bucketOf(known) === bucket) return known;
    if (index > 0 && index === fields.count - 1) keepNames(fields);
    const series = table.numberOf(cellsOf(fields, index), bucket);
    kinds[series] = which;
    if (index === 0) firsts[entry] = series;
    else {
      const rest = others[entry] ?? [];
      rest[index] = series;
      others[entry] = rest;
    }
    return series;
  }

  /** Adds a row for each value of a reading. A time that nanoseconds in 64 bits cannot hold is null. */
  function add(fields: Fields, entry: number): void {
    const { count, gauges, high, low } = fields;
    const isHeld = nanoseconds(fields.time, time);
    if (!isHeld) Object.assign(time, untimed);
    const bucket = isHeld ? (span === undefined ? 0 : bucketOf(fields.time, span)) : noBucket;
    for (let index = 0; index < count; index += 1) {
      const series = seriesAt(fields, entry, index, bucket);
      if (fields.kinds[index] === kind.gauge) {
        gauge[0] = gauges[index] ?? 0;
        sorter.add(series, time.high, time.low, gaugeWords[1] ?? 0, gaugeWords[0] ?? 0);
      } else sorter.add(series, time.high, time.low, high[index] ?? 0, low[index] ?? 0);
    }
  }

  return {
    table,
    add,
    /** Forgets what is known of an entry, which another series has now. */
    forget: (entry: number) => {
      firsts[entry] = -1;
      others[entry] = undefined;
    },
    /** Whether there are too many series to keep them all in memory, or so many times as many. */
    isFull: (times: number) => table.size() >= times * maxSeries || table.textLength() >= times * maxText,
    order,
    sorted: sorter.sorted,
    /** Removes what is on the disk. */
    close: sorter.close,
  };
}
