import type { ColumnChunk, ColumnIndex, Encoding, OffsetIndex, PageHeader, SchemaElement } from "hyparquet";
import type { ByteWriter } from "hyparquet-writer";
import { unconvertMinMax, writePageHeader, writePlain, writeRleBitPackedHybrid } from "../hyparquet-parts.ts";
import type { Bounds, ColumnValues } from "./column-values.ts";
import type { Compression } from "./compression.ts";

/** A column of a row group. */
export interface Column {
  readonly element: SchemaElement;
  readonly values: ColumnValues;
  /** For each row whether it has a value (1); undefined if all have. */
  readonly present?: Uint8Array;
}

/** Where a column is written, how, and a buffer for its pages. */
export interface ChunkTarget {
  readonly writer: ByteWriter;
  readonly compression: Compression;
  readonly page: ByteWriter;
}

/** A column chunk that was written, and the indexes of its pages. */
export interface WrittenChunk {
  readonly chunk: ColumnChunk;
  readonly columnIndex?: ColumnIndex;
  readonly offsetIndex?: OffsetIndex;
}

/** Rows of a page, with which readers skip parts of a row group. */
const pageRows = 16_384;

/** Names are whole in statistics, long metadata is not. */
export const maxBound = 256;

interface Page {
  readonly header: Omit<PageHeader, "compressed_page_size" | "uncompressed_page_size">;
  readonly content: Uint8Array;
}

/**
 * Writes a column of a row group: a dictionary page if it has one, and data pages of version 1, which all readers know, with
 * the same rows in all columns.
 */
export function writeColumnChunk(
  { writer, compression: { codec, compress }, page: scratch }: ChunkTarget,
  { element, values, present }: Column,
  rows: number,
): WrittenChunk {
  const start = writer.offset;
  const hasDictionary = values.dictionary !== undefined && values.dictionary.length > 0;
  const encoding: Encoding = hasDictionary ? "RLE_DICTIONARY" : "PLAIN";
  let uncompressed = 0;

  function writePage({ header, content }: Page): number {
    const begun = writer.offset;
    const compressed = compress(content);
    const sizes = { uncompressed_page_size: content.length, compressed_page_size: compressed.length };
    writePageHeader(writer, { ...header, ...sizes });
    uncompressed += writer.offset - begun + content.length;
    writer.appendBytes(compressed);
    return writer.offset - begun;
  }

  function dictionaryPage(dictionary: readonly (string | number)[]): Page {
    scratch.index = 0;
    writePlain(scratch, [...dictionary], element.type ?? "BYTE_ARRAY", undefined);
    const dictionary_page_header = { num_values: dictionary.length, encoding: "PLAIN" } as const;
    return { header: { type: "DICTIONARY_PAGE", dictionary_page_header }, content: scratch.getBytes() };
  }

  function dataPage(row: number, end: number, from: number, to: number): Page {
    scratch.index = 0;
    if (present !== undefined) {
      scratch.appendUint32(0);
      writeRleBitPackedHybrid(scratch, present.subarray(row, end), 1);
      scratch.view.setUint32(0, scratch.index - 4, true);
    }
    if (hasDictionary || from < to) values.write(scratch, from, to);
    const levels = { definition_level_encoding: "RLE", repetition_level_encoding: "RLE" } as const;
    const data_page_header = { num_values: end - row, encoding, ...levels };
    return { header: { type: "DATA_PAGE", data_page_header }, content: scratch.getBytes() };
  }

  if (hasDictionary) writePage(dictionaryPage(values.dictionary ?? []));
  const firstPage = writer.offset;
  const pages = [];
  let from = 0;
  for (let row = 0; row < rows; row += pageRows) {
    const end = Math.min(rows, row + pageRows);
    const to = from + (present === undefined ? end - row : ones(present, row, end));
    const offset = writer.offset;
    const size = writePage(dataPage(row, end, from, to));
    pages.push({ offset, size, row, from, to, nulls: end - row - (to - from) });
    from = to;
  }

  const { min, max } = values.bounds(0, from);
  const meta_data = {
    type: element.type ?? "BYTE_ARRAY",
    encodings: [...new Set<Encoding>(["PLAIN", encoding, "RLE"])],
    path_in_schema: [element.name],
    codec,
    num_values: BigInt(rows),
    total_uncompressed_size: BigInt(uncompressed),
    total_compressed_size: BigInt(writer.offset - start),
    data_page_offset: BigInt(firstPage),
    ...(hasDictionary && { dictionary_page_offset: BigInt(start) }),
    statistics: {
      null_count: BigInt(rows - from),
      ...(min !== undefined && max !== undefined && { min_value: min, max_value: max }),
    },
    encoding_stats: [
      ...(hasDictionary ? [{ page_type: "DICTIONARY_PAGE", encoding: "PLAIN", count: 1 } as const] : []),
      { page_type: "DATA_PAGE", encoding, count: pages.length } as const,
    ],
  };
  const chunk: ColumnChunk = { file_offset: BigInt(start), meta_data };
  if (pages.length === 1) return { chunk };
  const page_locations = pages.map(({ offset, size, row }) => {
    return { offset: BigInt(offset), compressed_page_size: size, first_row_index: BigInt(row) };
  });
  const bounds = pages.map((page) => encodedBounds(values.bounds(page.from, page.to), element));
  const isKnown = pages.every((page, at) => page.from === page.to || bounds[at]?.min !== undefined);
  // A page of NaN has no bounds, without which the format has no index.
  if (!isKnown) return { chunk, offsetIndex: { page_locations } };
  const columnIndex: ColumnIndex = {
    null_pages: pages.map((page) => page.from === page.to),
    min_values: bounds.map((one) => one.min ?? new Uint8Array()),
    max_values: bounds.map((one) => one.max ?? new Uint8Array()),
    boundary_order: "UNORDERED",
    null_counts: pages.map(({ nulls }) => BigInt(nulls)),
  };
  return { chunk, columnIndex, offsetIndex: { page_locations } };
}

function ones(present: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let row = start; row < end; row += 1) count += present[row] ?? 0;
  return count;
}

function encodedBounds({ min, max }: Bounds, element: SchemaElement) {
  return { min: unconvertMinMax(min, element, false, maxBound), max: unconvertMinMax(max, element, true, maxBound) };
}
