import type { RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { type Column, type WrittenChunk, writeColumnChunk } from "./column-chunk.ts";
import { dictionaryValues, plainValues } from "./column-values.ts";
import type { Compression } from "./compression.ts";
import { seriesColumns, sortedBy } from "./schema.ts";
import type { Order, SeriesTable } from "./series-table.ts";
import { rowWords } from "./sort-rows.ts";
import { microseconds, noBucket } from "./times.ts";

/** The rows of a row group, sorted. */
export interface GroupRows {
  readonly rows: Int32Array;
  readonly count: number;
  readonly table: SeriesTable;
  readonly order: Order;
  readonly buffers: Buffers;
}

/** What columns are made in, one after the other. */
export interface Buffers {
  readonly words: Int32Array;
  readonly present: Uint8Array;
  readonly page: ByteWriter;
}

/** Creates buffers for row groups of so many rows. They are reused, because collecting them takes time and memory. */
export function createBuffers(rows: number): Buffers {
  return { words: new Int32Array(2 * rows), present: new Uint8Array(rows), page: new ByteWriter() };
}

/** Writes a row group with these columns. */
export function writeRowGroup(
  writer: ByteWriter,
  group: GroupRows,
  elements: readonly SchemaElement[],
  compression: Compression,
): { readonly rowGroup: RowGroup; readonly chunks: readonly WrittenChunk[] } {
  const start = writer.offset;
  const { page, present } = group.buffers;
  const chunks = elements.map((element) => {
    present.fill(0, 0, group.count);
    return writeColumnChunk({ writer, compression, page }, columnOf(group, element), group.count);
  });
  const columns = chunks.map(({ chunk }) => chunk);
  const uncompressed = columns.reduce((total, one) => total + (one.meta_data?.total_uncompressed_size ?? 0n), 0n);
  const sorting_columns = sortedBy
    .map((name) => elements.findIndex((element) => element.name === name))
    .filter((column) => column >= 0)
    .map((column_idx) => ({ column_idx, descending: false, nulls_first: false }));
  const rowGroup = {
    columns,
    total_byte_size: uncompressed,
    num_rows: BigInt(group.count),
    sorting_columns,
    total_compressed_size: BigInt(writer.offset - start),
  };
  return { rowGroup, chunks };
}

function columnOf(group: GroupRows, element: SchemaElement): Column {
  const { name } = element;
  const ofSeries = seriesColumns.indexOf(name);
  if (ofSeries >= 0) return seriesColumn(group, ofSeries, element);
  return name.startsWith("time") ? timeColumn(group, element) : valueColumn(group, element);
}

/** A column that all rows of a series share, with a dictionary of this row group. */
function seriesColumn(
  { rows, count, table, order, buffers }: GroupRows,
  column: number,
  element: SchemaElement,
): Column {
  const local = new Map<number, number>();
  const dictionary: (string | number)[] = [];
  const ranks: number[] = [];
  const { words: ids, present } = buffers;
  let [last, id, size] = [-1, -1, 0];

  function localOf(cell: number): number {
    if (cell < 0) return -1;
    const known = local.get(cell);
    if (known !== undefined) return known;
    local.set(cell, dictionary.length);
    ranks.push(order.cells[column]?.[cell] ?? 0);
    return dictionary.push(table.cell(column, cell)) - 1;
  }

  for (let row = 0; row < count; row += 1) {
    const series = rows[row * rowWords] ?? 0;
    if (series !== last) {
      last = series;
      id = localOf(table.cellOf(series, column));
    }
    if (id < 0) continue;
    present[row] = 1;
    ids[size] = id;
    size += 1;
  }
  return {
    element,
    values: dictionaryValues(ids, dictionary, ranks),
    ...(element.repetition_type === "OPTIONAL" && { present }),
  };
}

/** Puts the words of a row, low and high, where a column has them. */
type Put = (rows: Int32Array, at: number, words: Int32Array, into: number) => void;

/** A column of 64 bits; `putOf` returns undefined if it has no value in the rows of a series. */
function wordColumn(
  { rows, count, buffers: { words, present } }: GroupRows,
  element: SchemaElement,
  putOf: (series: number) => Put | undefined,
): Column {
  let last = -1;
  let put: Put | undefined;
  let size = 0;
  for (let row = 0; row < count; row += 1) {
    const at = row * rowWords;
    const series = rows[at] ?? 0;
    if (series !== last) {
      last = series;
      put = putOf(series);
    }
    if (put === undefined) continue;
    put(rows, at, words, size);
    present[row] = 1;
    size += 2;
  }
  return { element, values: plainValues(words, element), present };
}

function timeColumn(group: GroupRows, element: SchemaElement): Column {
  const put = element.name === "time_ns" ? putTime : putMicroseconds;
  return wordColumn(group, element, (series) => (group.table.bucketOf(series) === noBucket ? undefined : put));
}

const kindColumn = seriesColumns.indexOf("kind");

function valueColumn(group: GroupRows, element: SchemaElement): Column {
  const { table } = group;
  const isInteger = element.name !== "value";
  return wordColumn(group, element, (series) => {
    const kind = table.cell(kindColumn, table.cellOf(series, kindColumn));
    if (isInteger) return kind === element.name ? putValue : undefined;
    if (kind === "") return undefined;
    return kind === "gauge" ? putValue : kind === "derive" ? putSigned : putUnsigned;
  });
}

const putTime: Put = (rows, at, words, into) => {
  words[into] = rows[at + 2] ?? 0;
  words[into + 1] = rows[at + 1] ?? 0;
};

const time = { high: 0, low: 0 };

const putMicroseconds: Put = (rows, at, words, into) => {
  time.high = rows[at + 1] ?? 0;
  time.low = rows[at + 2] ?? 0;
  microseconds(time, time);
  words[into] = time.low;
  words[into + 1] = time.high;
};

const putValue: Put = (rows, at, words, into) => {
  words[into] = rows[at + 4] ?? 0;
  words[into + 1] = rows[at + 3] ?? 0;
};

const double = new Float64Array(1);
const doubleWords = new Int32Array(double.buffer);

function putDouble(value: number, words: Int32Array, into: number): void {
  double[0] = value;
  words[into] = doubleWords[0] ?? 0;
  words[into + 1] = doubleWords[1] ?? 0;
}

const putSigned: Put = (rows, at, words, into) =>
  putDouble((rows[at + 3] ?? 0) * 2 ** 32 + ((rows[at + 4] ?? 0) >>> 0), words, into);

const putUnsigned: Put = (rows, at, words, into) =>
  putDouble(((rows[at + 3] ?? 0) >>> 0) * 2 ** 32 + ((rows[at + 4] ?? 0) >>> 0), words, into);
