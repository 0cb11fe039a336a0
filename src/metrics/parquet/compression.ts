import * as zlib from "node:zlib";
import type { CompressionCodec, Compressors } from "hyparquet";
import { snappyCompress } from "../hyparquet-parts.ts";
import type { NewerZlib } from "../stream/decompress.ts";
/** How pages are compressed. */
export interface Compression {
  readonly codec: CompressionCodec;
  readonly compress: (bytes: Uint8Array) => Uint8Array;
}

const { zstdCompressSync, zstdDecompressSync }: NewerZlib = zlib;
/**
 * The compression of new files: zstd, or Snappy on a Node without zstd. Gzip is as small, but DuckDB takes twice the time to
 * read it.
 */
export const compression: Compression =
  zstdCompressSync === undefined
    ? { codec: "SNAPPY", compress: snappyCompress }
    : { codec: "ZSTD", compress: (bytes) => zstdCompressSync(bytes) };

/** How hyparquet reads what it does not read by itself. */
export const decompressors: Compressors =
  zstdDecompressSync === undefined ? {} : { ZSTD: (bytes) => zstdDecompressSync(bytes) };
