import type { CompressionCodec, Compressors } from "hyparquet";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";

/** How pages are compressed. */
export interface Compression {
  readonly codec: CompressionCodec;
  readonly compress: (bytes: Uint8Array) => Uint8Array;
}

/** The compression of new files. */
export const compression: Compression = { codec: "SNAPPY", compress: snappyCompress };

/** How hyparquet reads them. */
export const decompressors: Compressors = {};
