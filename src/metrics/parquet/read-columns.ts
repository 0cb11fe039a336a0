import { fstatSync, readSync } from "node:fs";
import { parquetMetadata, parquetSchema, type RowGroup } from "hyparquet";
import {
  decompressPage,
  parquetHeader,
  DEFAULT_PARSERS as parsers,
  readDataPage,
  readPlain,
} from "../hyparquet-parts.ts";
import { decodeText } from "../wire/text.ts";
import { decompressors } from "./compression.ts";
import type { Cell } from "./series-table.ts";

/** Rows of a row group, from `start` to before `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** 64-bit numbers of rows: words in pairs, the low one first; `present` is 0 for null. */
export interface Words {
  readonly words: Int32Array;
  readonly present: Uint8Array;
}

type Values = ArrayLike<unknown>;

interface Page {
  /** Its first row and their number; with nulls, a level for each row, which is 0 for null. */
  readonly row: number;
  readonly count: number;
  readonly levels: readonly number[];
  readonly values: Values;
  /** The values that `values` names by their numbers. */
  readonly dictionary: Values | undefined;
}

// Of a row group; that of most writers has at most a million.
const maxRows = 2 ** 24;

/** The columns of an open Parquet file. Pages outside the rows that are asked for are not decoded. */
export type ParquetColumns = ReturnType<typeof parquetColumns>;

/** Opens the columns of a Parquet file. hyparquet decodes pages; whole columns of it are arrays of objects, which take ten times the time. */
export function parquetColumns(fd: number) {
  const { size } = fstatSync(fd);
  const length = size < 12 ? 0 : Buffer.from(bytesAt(fd, size - 8, 4)).readUInt32LE();
  const metadata = parquetMetadata(bytesAt(fd, Math.max(0, size - 8 - length), Math.min(size, length + 8)));
  const root = parquetSchema(metadata);
  const trees = new Map(root.children.map((child) => [child.element.name, child]));

  function* pagesOf(group: RowGroup, name: string, { start, end }: RowRange): Generator<Page> {
    const tree = trees.get(name);
    const chunk = group.columns.find((one) => one.meta_data?.path_in_schema[0] === name)?.meta_data;
    if (tree === undefined || chunk === undefined || group.num_rows > maxRows)
      throw new Error(`it has no column ${name}, or too large row groups`);
    if (chunk.statistics?.null_count === group.num_rows) return;
    const from = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    const bytes = bytesAt(fd, from, Number(chunk.total_compressed_size));
    const reader = { view: new DataView(bytes.buffer), offset: 0 };
    const { codec, type } = chunk;
    const { element, path: pathInSchema } = tree;
    const column = {
      codec,
      type,
      element,
      pathInSchema,
      schemaPath: [root, tree],
      compressors: decompressors,
      parsers,
    };
    let dictionary: Values | undefined;
    let row = 0;
    while (row < end) {
      const header = parquetHeader(reader);
      const { dictionary_page_header: ofDictionary, data_page_header: head } = header;
      const compressed = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
      reader.offset += header.compressed_page_size;
      const whole = () => decompressPage(compressed, header.uncompressed_page_size, codec, decompressors);
      if (ofDictionary !== undefined) {
        const { buffer, byteOffset, byteLength } = whole();
        const page = { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
        dictionary = textsOf(readPlain(page, type, ofDictionary.num_values, undefined));
        continue;
      }
      if (head === undefined) throw new Error(`the column ${name} has a page of another version, or ends early`);
      const { num_values: count, encoding } = head;
      if (row + count > start) {
        const { definitionLevels: levels = [], dataPage } = readDataPage(whole(), head, column);
        const isNumbered = encoding.endsWith("_DICTIONARY");
        const values = isNumbered ? dataPage : textsOf(dataPage);
        yield { row, count, levels, values, dictionary: isNumbered ? (dictionary ?? []) : undefined };
      }
      row += count;
    }
  }

  /** The texts or doubles of a column; undefined without it. Throws an `Error` if the file is damaged. */
  function cells(group: RowGroup, name: string, rows: RowRange): Cell[] | undefined {
    if (!trees.has(name)) return undefined;
    const found = new Array<Cell>(rows.end - rows.start).fill(null);
    for (const page of pagesOf(group, name, rows)) {
      const { values, dictionary } = page;
      eachValue(page, rows, (row, at) => {
        const value = dictionary === undefined ? values[at] : dictionary[Number(values[at])];
        found[row] = typeof value === "string" || typeof value === "number" ? value : null;
      });
    }
    return found;
  }

  /** The 64-bit numbers of a column. */
  function words(group: RowGroup, name: string, rows: RowRange): Words | undefined {
    if (!trees.has(name)) return undefined;
    const size = rows.end - rows.start;
    const found = { words: new Int32Array(2 * size), present: new Uint8Array(size) };
    for (const page of pagesOf(group, name, rows)) {
      const { values, dictionary } = page;
      const all = wordsOf(dictionary ?? values, name);
      eachValue(page, rows, (row, at) => {
        const place = 2 * (dictionary === undefined ? at : Number(values[at]));
        found.words[2 * row] = all[place] ?? 0;
        found.words[2 * row + 1] = all[place + 1] ?? 0;
        found.present[row] = 1;
      });
    }
    return found;
  }

  return { metadata, cells, words };
}

/** Calls `take` with each row of the range that has a value, counted from its start, and the place of the value in the page. */
function eachValue(
  { row, count, levels }: Page,
  { start, end }: RowRange,
  take: (row: number, at: number) => void,
): void {
  const hasNulls = levels.length > 0;
  let at = 0;
  for (let index = 0; index < count && row + index < end; index += 1) {
    if (hasNulls && levels[index] === 0) continue;
    if (row + index >= start) take(row + index - start, at);
    at += 1;
  }
}

function bytesAt(fd: number, from: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let have = 0; have < size; ) {
    const got = readSync(fd, bytes, have, size - have, from + have);
    if (got === 0) throw new Error("it ends too early");
    have += got;
  }
  return bytes;
}

function textsOf(values: Values): Values {
  return values[0] instanceof Uint8Array ? Array.from(values, (one) => decodeText(one as Uint8Array)) : values;
}

function wordsOf(values: Values, name: string): Int32Array {
  if (values.length === 0) return new Int32Array();
  if (values instanceof BigInt64Array || values instanceof Float64Array)
    return new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  throw new Error(`the column ${name} does not have 64-bit numbers`);
}
