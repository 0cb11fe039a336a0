import { asyncBufferFromFile, type DecodedArray, parquetMetadataAsync, parquetScan } from "hyparquet";
import { decompressors } from "./compression.ts";
import { createRowDigest, emptyCells, type RowCells, type RowDigest, seriesDigest } from "./row-digest.ts";
import { columnNames, numberColumns, seriesColumns } from "./schema.ts";
import type { Cell } from "./series-table.ts";

/** The digest of the rows of a Parquet file, as `createRowDigest` makes it of what was written. */
export async function digestOfFile(path: string, checkAborted: () => void): Promise<string> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  // Dates would lose microseconds.
  const parsers = { timestampFromMicroseconds: (microseconds: bigint) => microseconds };
  const { readColumn } = await parquetScan({ file, metadata, parsers, compressors: decompressors });
  const digest = createRowDigest();
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    checkAborted();
    const rowEnd = rowStart + Number(num_rows);
    const columns = new Map<string, DecodedArray>();
    for (const column of columnNames) columns.set(column, await readColumn({ column, rowStart, rowEnd }));
    addRows(rowEnd - rowStart, columns, digest);
    rowStart = rowEnd;
  }
  return digest.text();
}

function addRows(rows: number, columns: ReadonlyMap<string, DecodedArray>, digest: RowDigest): void {
  const valuesOf = (name: string): ArrayLike<unknown> => columns.get(name) ?? [];
  const ofSeries = seriesColumns.map(valuesOf);
  const numbers = numberColumns.map(valuesOf);
  const cells = emptyCells();
  let series = 0;
  for (let row = 0; row < rows; row += 1) {
    if (row === 0 || ofSeries.some((values) => values[row] !== values[row - 1]))
      series = seriesDigest(ofSeries.map((values) => cellOf(values[row])));
    putCells(cells, numbers, row);
    digest.add(series, cells);
  }
}

function cellOf(value: unknown): Cell {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

const integer = new BigInt64Array(1);
const double = new Float64Array(1);
const [integerWords, doubleWords] = [new Int32Array(integer.buffer), new Int32Array(double.buffer)];

function putCells(cells: RowCells, columns: readonly ArrayLike<unknown>[], row: number): void {
  cells.present = 0;
  for (let column = 0; column < columns.length; column += 1) {
    const value = columns[column]?.[row];
    if (typeof value !== "bigint" && typeof value !== "number") continue;
    if (typeof value === "bigint") integer[0] = value;
    // No bits of a NaN are kept in JavaScript.
    else double[0] = Number.isNaN(value) ? Number.NaN : value;
    const words = typeof value === "bigint" ? integerWords : doubleWords;
    cells.words[2 * column] = words[0] ?? 0;
    cells.words[2 * column + 1] = words[1] ?? 0;
    cells.present |= 1 << column;
  }
}
