import { seriesColumns } from "./schema.ts";

/** A value that all rows of a series share. */
export type Cell = string | number | null;

/** The ranks of all series in a table, and of the cells of each column by their IDs. */
export interface Order {
  /** Series of the same name, which differ in their interval, metadata or type of values, have the same rank. */
  readonly series: Int32Array;
  readonly cells: readonly Int32Array[];
}

const width = seriesColumns.length;
// Columns of the name.
const named = seriesColumns.indexOf("ds_name") + 1;

/** The series that rows belong to, numbered in the order of their first use. */
export type SeriesTable = ReturnType<typeof createSeriesTable>;

/** Creates an empty table. */
export function createSeriesTable() {
  const columns = seriesColumns.map(() => createDictionary());
  const numbers = new Map<string, number>();
  // Of all series one after the other.
  const ids: number[] = [];
  const buckets: number[] = [];
  let ordered: Order | undefined;

  /** The number of a series: that of `seriesColumns` in a span of time (see `buckets.ts`). */
  function numberOf(cells: readonly Cell[], bucket: number): number {
    const own = columns.map((column, index) => column.idOf(cells[index] ?? null));
    const key = `${own.join()},${bucket}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = buckets.length;
    numbers.set(key, number);
    ids.push(...own);
    buckets.push(bucket);
    ordered = undefined;
    return number;
  }

  function orderNow(timed: boolean): Order {
    const cells = columns.map((column) => column.ranks());
    const bucketOf = (series: number) => (timed ? (buckets[series] ?? 0) : 0);
    const rankOf = (series: number, column: number) => cells[column]?.[ids[series * width + column] ?? 0] ?? 0;
    const compare = (one: number, other: number) => {
      let difference = bucketOf(one) - bucketOf(other);
      for (let column = 0; difference === 0 && column < named; column += 1)
        difference = rankOf(one, column) - rankOf(other, column);
      return difference;
    };
    return { series: ranksOf(buckets.length, compare), cells };
  }

  return {
    size: () => buckets.length,
    /** The length of all texts. */
    textLength: () => columns.reduce((total, { length }) => total + length(), 0),
    numberOf,
    bucketOf: (series: number) => buckets[series] ?? 0,
    /** The ID of a cell within its column, -1 for null. */
    cellOf: (series: number, column: number) => ids[series * width + column] ?? -1,
    /** The cell with an ID. */
    cell: (column: number, id: number) => columns[column]?.values[id] ?? "",
    order: (timed: boolean) => {
      ordered ??= orderNow(timed);
      return ordered;
    },
  };
}

/** The different cells of a column. */
function createDictionary() {
  const values: (string | number)[] = [];
  const ids = new Map<string | number, number>();
  let length = 0;

  function idOf(cell: Cell): number {
    if (cell === null) return -1;
    const known = ids.get(cell);
    if (known !== undefined) return known;
    if (typeof cell === "string") length += cell.length;
    ids.set(cell, values.length);
    return values.push(cell) - 1;
  }

  function ranks(): Int32Array {
    // Readers compare texts by their bytes, JavaScript compares them by halves of surrogate pairs.
    const bytes = values.map((value) => Buffer.from(typeof value === "string" ? value : ""));
    return ranksOf(values.length, (one, other) => {
      const [left, right] = [values[one], values[other]];
      if (typeof left === "number" && typeof right === "number") return left - right;
      return Buffer.compare(bytes[one] ?? empty, bytes[other] ?? empty);
    });
  }

  return { values, idOf, ranks, length: () => length };
}

const empty = Buffer.alloc(0);

/** The ranks of numbers from 0; those that compare equal have the same. */
function ranksOf(size: number, compare: (one: number, other: number) => number): Int32Array {
  /** Ranks by time, if `timed`, and by name: host, plugin, and so on. */
  const order = Int32Array.from({ length: size }, (_, index) => index).sort(compare);
  const ranks = new Int32Array(size);
  let rank = 0;
  for (let at = 1; at < size; at += 1) {
    const here = order[at] ?? 0;
    if (compare(order[at - 1] ?? 0, here) !== 0) rank += 1;
    ranks[here] = rank;
  }
  return ranks;
}
