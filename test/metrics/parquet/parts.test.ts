import { readFileSync } from "node:fs";
import { parquetMetadata } from "hyparquet";
import { snappyUncompress } from "hyparquet/src/snappy.js";
import { ByteWriter } from "hyparquet-writer";
import { expect, test } from "vitest";
import {
  DEFAULT_PARSERS,
  decompressPage,
  parquetHeader,
  readDataPage,
  snappyCompress,
  unconvertMinMax,
  writeIndexes,
  writeMetadata,
  writePageHeader,
  writePlain,
  writeRleBitPackedHybrid,
} from "../../../src/metrics/hyparquet-parts.ts";

const magic = 0x31_52_41_50;
const json = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

test("the version of hyparquet-writer is pinned, because it exports none of the parts that are used", () => {
  const pinned = json("../../../package.json").devDependencies["hyparquet-writer"];
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
  expect(json("../../../node_modules/hyparquet-writer/package.json").version).toBe(pinned);
});

test("its parts write runs, plain values, statistics and Snappy as Parquet has them", () => {
  const runs = new ByteWriter();
  writeRleBitPackedHybrid(runs, [1, 1, 1, 1, 1, 1, 1, 1, 1], 1);
  expect(Buffer.from(runs.getBytes()).toString("hex")).toBe("1201");
  const plain = new ByteWriter();
  writePlain(plain, [1.5], "DOUBLE", undefined);
  expect(Buffer.from(plain.getBytes()).toString("hex")).toBe("000000000000f83f");
  expect(unconvertMinMax(7, { name: "a", type: "INT32" }, true)).toEqual(Uint8Array.of(7, 0, 0, 0));
  const text = Buffer.from("readings ".repeat(100));
  const whole = new Uint8Array(text.length);
  snappyUncompress(snappyCompress(text), whole);
  expect(Buffer.from(whole).equals(text)).toBe(true);
});

test("its page headers, and the decoders of the reader, agree: a page is read as it was written", () => {
  const page = new ByteWriter();
  writePlain(page, [1.5, -2], "DOUBLE", undefined);
  const levels = { definition_level_encoding: "RLE", repetition_level_encoding: "RLE" } as const;
  const data_page_header = { num_values: 2, encoding: "PLAIN", ...levels } as const;
  const sizes = { compressed_page_size: 16, uncompressed_page_size: 16 };
  const file = new ByteWriter();
  writePageHeader(file, { type: "DATA_PAGE", data_page_header, ...sizes });
  file.appendBytes(page.getBytes());
  const bytes = file.getBytes();
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  expect(parquetHeader(reader)).toMatchObject({ type: "DATA_PAGE", data_page_header, ...sizes });
  const element = { name: "a", type: "DOUBLE", repetition_type: "REQUIRED" } as const;
  const tree = (name: string) => ({ element: { ...element, name }, path: [name], children: [], count: 1 });
  const column = {
    type: "DOUBLE",
    codec: "UNCOMPRESSED",
    element,
    pathInSchema: ["a"],
    parsers: DEFAULT_PARSERS,
  } as const;
  const whole = decompressPage(bytes.subarray(reader.offset), 16, "UNCOMPRESSED", undefined);
  const read = readDataPage(whole, data_page_header, {
    ...column,
    pathInSchema: ["a"],
    schemaPath: [tree("root"), tree("a")],
  });
  expect(read.dataPage).toEqual(Float64Array.of(1.5, -2));
});

test("its footer keeps pairs of the writer, statistics of names, and where indexes are", () => {
  const file = new ByteWriter();
  file.appendUint32(magic);
  const type = "BYTE_ARRAY" as const;
  const statistics = { null_count: 0n, min_value: "a", max_value: "b" };
  const meta_data = {
    type,
    encodings: ["PLAIN" as const],
    path_in_schema: ["a"],
    codec: "SNAPPY" as const,
    num_values: 2n,
    total_uncompressed_size: 9n,
    total_compressed_size: 9n,
    data_page_offset: 4n,
    statistics,
  };
  const chunk = { file_offset: 4n, meta_data };
  const page = { offset: 4n, compressed_page_size: 5, first_row_index: 0n };
  writeIndexes(file, [{ chunk, offsetIndex: { page_locations: [page, page] } }]);
  const row_groups = [{ columns: [chunk], total_byte_size: 9n, num_rows: 2n }];
  const schema = [
    { name: "root", num_children: 1 },
    { name: "a", type, converted_type: "UTF8" as const },
  ];
  const key_value_metadata = [{ key: "ds_names", value: "[]" }];
  writeMetadata(file, { version: 2, schema, num_rows: 2n, row_groups, key_value_metadata, metadata_length: 0 }, 256);
  file.appendUint32(magic);
  const read = parquetMetadata(file.getBytes().slice());
  expect(read).toMatchObject({ key_value_metadata, num_rows: 2n });
  expect(read.row_groups[0]?.columns[0]).toMatchObject({ offset_index_offset: 4n, meta_data: { statistics } });
});
