import { openRuns, type Runs } from "./runs.ts";
import { type Batch, compareTimes, rowWords, sortedOrder } from "./sort-rows.ts";

/** Rows in memory, of 20 bytes each. */
const maxRows = 2 ** 20;
const batchRows = 8192;

/** Some sorted rows; `fill` replaces those that were taken, and returns false at the end. */
interface Cursor {
  readonly number: number;
  readonly rows: Int32Array;
  at: number;
  end: number;
  readonly fill: (cursor: Cursor) => boolean;
}

/**
 * Creates a sorter. `ranks` returns the ranks of all series, which must not change their order when there are more of them.
 * Rows that memory does not hold are written to a file in `folder`, sorted, and merged at the end.
 */
export function createSorter(ranks: () => Int32Array, folder: () => string) {
  const rows = new Int32Array(maxRows * rowWords);
  let count = 0;
  let runs: Runs | undefined;

  /** Adds a row: its series, its time, and the bits of its value. */
  function add(series: number, timeHigh: number, timeLow: number, high: number, low: number): void {
    if (count === maxRows) spill();
    const at = count * rowWords;
    rows[at] = series;
    rows[at + 1] = timeHigh;
    rows[at + 2] = timeLow;
    rows[at + 3] = high;
    rows[at + 4] = low;
    count += 1;
  }

  function inMemory(number: number): Cursor {
    const order = sortedOrder(rows, count, ranks());
    const fill = (cursor: Cursor) => {
      cursor.at = 0;
      cursor.end = Math.min(batchRows, order.length - taken);
      for (let row = 0; row < cursor.end; row += 1) {
        const from = (order[taken + row] ?? 0) * rowWords;
        for (let word = 0; word < rowWords; word += 1) cursor.rows[row * rowWords + word] = rows[from + word] ?? 0;
      }
      taken += cursor.end;
      return cursor.end > 0;
    };
    let taken = 0;
    return { number, rows: new Int32Array(batchRows * rowWords), at: 0, end: 0, fill };
  }

  function spill(): void {
    runs ??= openRuns(folder());
    const cursor = inMemory(0);
    runs.start();
    while (cursor.fill(cursor)) runs.append(cursor.rows.subarray(0, cursor.end * rowWords));
    count = 0;
  }

  /** All rows, by the ranks of their series and by time. A batch is overwritten by the next one. */
  function* sorted(): Generator<Batch> {
    const saved = runs?.readers() ?? [];
    const cursors = saved.map(({ buffer, read }, number): Cursor => {
      const fill = (cursor: Cursor) => {
        cursor.at = 0;
        cursor.end = read() / rowWords;
        return cursor.end > 0;
      };
      return { number, rows: buffer, at: 0, end: 0, fill };
    });
    yield* merged([...cursors, inMemory(saved.length)], ranks());
  }

  return { add, sorted, close: () => runs?.close() };
}

function* merged(all: readonly Cursor[], ranks: Int32Array): Generator<Batch> {
  const compare = (one: Cursor, row: number, other: Cursor) =>
    (ranks[one.rows[row * rowWords] ?? 0] ?? 0) - (ranks[other.rows[other.at * rowWords] ?? 0] ?? 0) ||
    compareTimes(one.rows, row, other.rows, other.at) ||
    one.number - other.number;
  // In order of their next rows.
  const cursors: Cursor[] = [];
  const insert = (cursor: Cursor) => {
    let [low, high] = [0, cursors.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = cursors[middle];
      if (other !== undefined && compare(cursor, cursor.at, other) > 0) low = middle + 1;
      else high = middle;
    }
    cursors.splice(low, 0, cursor);
  };
  for (const cursor of all) if (cursor.fill(cursor)) insert(cursor);
  for (let first = cursors.shift(); first !== undefined; first = cursors.shift()) {
    const next = cursors[0];
    let end = next === undefined ? first.end : first.at + 1;
    while (next !== undefined && end < first.end && compare(first, end, next) < 0) end += 1;
    yield { rows: first.rows, start: first.at, end };
    first.at = end;
    if (end < first.end || first.fill(first)) insert(first);
  }
}
