import { growing } from "../series/columns.ts";

// Values of all series together, about 32 MiB, and limits for one of them.
const budget = 4_194_304;
const most = 4096;
const least = 16;

// Values are kept in blocks, and blocks in segments: an array for each of a million series would not fit into memory.
const blockSize = 2;
const segmentBlocks = 32_768;

/**
 * Keeps values of many series, for their quantiles. A series keeps all of its values up to a limit (4096; fewer with more than 1,000 series), and
 * beyond it every second, fourth, and so on.
 */
export function createQuantiles() {
  const table = growing();
  // The first and the last block of a series, plus 1: 0 is none.
  const [first, last] = [table.ints(), table.ints()];
  const [kept, seen, strides] = [table.ints(), table.ints(), table.ints()];
  const blocks = growing();
  const following = blocks.ints();
  const segments: Float64Array[] = [];
  const values = new Float64Array(most + 1);
  let free = 0;

  function newBlock(): number {
    if (free > 0) {
      const reused = free;
      free = following.at[reused - 1] ?? 0;
      following.at[reused - 1] = 0;
      return reused;
    }
    const created = blocks.add();
    if (created % segmentBlocks === 0) segments.push(new Float64Array(segmentBlocks * blockSize));
    return created + 1;
  }

  function append(series: number, value: number): void {
    const count = kept.at[series] ?? 0;
    if (count % blockSize === 0) {
      const created = newBlock();
      const before = last.at[series] ?? 0;
      if (before === 0) first.at[series] = created;
      else following.at[before - 1] = created;
      last.at[series] = created;
    }
    const block = (last.at[series] ?? 0) - 1;
    const segment = segments[Math.floor(block / segmentBlocks)];
    if (segment !== undefined) segment[(block % segmentBlocks) * blockSize + (count % blockSize)] = value;
    kept.at[series] = count + 1;
  }

  /** The values of a series, in an array that the next call reuses. */
  function valuesOf(series: number): Float64Array {
    const count = kept.at[series] ?? 0;
    let block = first.at[series] ?? 0;
    for (let at = 0; at < count; at += blockSize) {
      const segment = segments[Math.floor((block - 1) / segmentBlocks)];
      const from = ((block - 1) % segmentBlocks) * blockSize;
      for (let index = 0; index < Math.min(blockSize, count - at); index += 1)
        values[at + index] = segment?.[from + index] ?? 0;
      block = following.at[block - 1] ?? 0;
    }
    return values.subarray(0, count);
  }

  function clear(series: number): void {
    const end = last.at[series] ?? 0;
    if (end > 0) {
      following.at[end - 1] = free;
      free = first.at[series] ?? 0;
    }
    first.at[series] = 0;
    last.at[series] = 0;
    kept.at[series] = 0;
  }

  function push(series: number, value: number): void {
    const count = seen.at[series] ?? 0;
    seen.at[series] = count + 1;
    if (count % (strides.at[series] ?? 1) !== 0) return;
    append(series, value);
    const limit = Math.max(least, Math.min(most, Math.floor(budget / table.size())));
    while ((kept.at[series] ?? 0) > limit) {
      const all = valuesOf(series);
      clear(series);
      for (let index = 0; index < all.length; index += 2) append(series, all[index] ?? 0);
      strides.at[series] = (strides.at[series] ?? 1) * 2;
    }
  }

  return {
    add: () => {
      // Adding a row can replace the columns.
      const row = table.add();
      strides.at[row] = 1;
    },
    push,
    /** The nearest-rank quantile; undefined without values. Exact until values were left out. */
    of: (series: number, quantile: number) => {
      const sorted = valuesOf(series).sort();
      return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)];
    },
  };
}
