import { closeSync, openSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parquetColumns, type Words } from "./read-columns.ts";
import { createRowDigest, emptyCells, type RowDigest, seriesDigest } from "./row-digest.ts";
import { numberColumns, seriesColumns } from "./schema.ts";
import type { Cell } from "./series-table.ts";

/** The digest of the rows of a Parquet file, as `createRowDigest` makes it of what was written. */
export async function digestOfFile(path: string, checkAborted: () => void): Promise<string> {
  const fd = openSync(path, "r");
  try {
    const { metadata, cells, words } = parquetColumns(fd);
    const digest = createRowDigest();
    for (const group of metadata.row_groups) {
      await setImmediate();
      checkAborted();
      const rows = { start: 0, end: Number(group.num_rows) };
      const ofSeries = seriesColumns.map((name) => cells(group, name, rows) ?? []);
      const numbers = numberColumns.map((name) => words(group, name, rows));
      addRows(rows.end, ofSeries, numbers, digest);
    }
    return digest.text();
  } finally {
    closeSync(fd);
  }
}

const valueAt = numberColumns.indexOf("value");

function addRows(
  rows: number,
  ofSeries: readonly (readonly Cell[])[],
  numbers: readonly (Words | undefined)[],
  digest: RowDigest,
): void {
  const cells = emptyCells();
  let series = 0;
  for (let row = 0; row < rows; row += 1) {
    if (row === 0 || ofSeries.some((values) => values[row] !== values[row - 1]))
      series = seriesDigest(ofSeries.map((values) => values[row] ?? null));
    cells.present = 0;
    for (const [column, values] of numbers.entries()) {
      if (values?.present[row] !== 1) continue;
      const [low, high] = [values.words[2 * row] ?? 0, values.words[2 * row + 1] ?? 0];
      // No bits of a NaN are kept in JavaScript.
      const isNan = column === valueAt && (high & 0x7f_f0_00_00) === 0x7f_f0_00_00 && ((high & 0xf_ff_ff) | low) !== 0;
      cells.words[2 * column] = isNan ? 0 : low;
      cells.words[2 * column + 1] = isNan ? 0x7f_f8_00_00 : high;
      cells.present |= 1 << column;
    }
    digest.add(series, cells);
  }
}
