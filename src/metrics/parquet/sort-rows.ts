/**
 * A row is five words: the number of its series, its time in nanoseconds since 1970 (high, low), and the bits of its value
 * (high, low).
 */
export const rowWords = 5;

/** The time of rows that have none: the latest, so that they are the last of their series. */
export const untimed = { high: 0x7f_ff_ff_ff, low: -1 } as const;

/** Rows one after the other. */
export interface Batch {
  readonly rows: Int32Array;
  readonly start: number;
  readonly end: number;
}

/** Compares the times of two rows. */
export function compareTimes(rows: Int32Array, row: number, others: Int32Array, other: number): number {
  const [at, otherAt] = [row * rowWords, other * rowWords];
  const difference = (rows[at + 1] ?? 0) - (others[otherAt + 1] ?? 0);
  return difference === 0 ? ((rows[at + 2] ?? 0) >>> 0) - ((others[otherAt + 2] ?? 0) >>> 0) : difference;
}

/** The order of rows by the ranks of their series, then by time; equal ones stay in their order. */
export function sortedOrder(rows: Int32Array, count: number, ranks: Int32Array): Int32Array {
  const rankOf = (row: number) => ranks[rows[row * rowWords] ?? 0] ?? 0;
  // Where the rows of each rank start; then, where the next one goes.
  const places = new Int32Array(ranks.length + 1);
  for (let row = 0; row < count; row += 1) {
    const next = rankOf(row) + 1;
    places[next] = (places[next] ?? 0) + 1;
  }
  for (let rank = 1; rank < places.length; rank += 1) places[rank] = (places[rank] ?? 0) + (places[rank - 1] ?? 0);
  const order = new Int32Array(count);
  for (let row = 0; row < count; row += 1) {
    const rank = rankOf(row);
    const place = places[rank] ?? 0;
    order[place] = row;
    places[rank] = place + 1;
  }
  let start = 0;
  for (let rank = 0; rank < ranks.length; rank += 1) {
    const end = places[rank] ?? start;
    sortByTime(rows, order.subarray(start, end));
    start = end;
  }
  return order;
}

function sortByTime(rows: Int32Array, order: Int32Array): void {
  for (let at = 1; at < order.length; at += 1) {
    if (compareTimes(rows, order[at - 1] ?? 0, rows, order[at] ?? 0) <= 0) continue;
    // Seldom: senders are in order.
    order.sort((one, other) => compareTimes(rows, one, rows, other));
    return;
  }
}
