// The parts of hyparquet and hyparquet-writer that src/metrics/parquet uses. The writer exports none of them, so that its
// version is pinned; test/metrics/parquet/parts.test.ts says what is relied on.
export { parquetHeader } from "hyparquet/src/column.js";
export { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
export { decompressPage, readDataPage } from "hyparquet/src/datapage.js";
export { readPlain } from "hyparquet/src/plain.js";
export { writePageHeader } from "hyparquet-writer/src/datapage.js";
export { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
export { writeIndexes } from "hyparquet-writer/src/indexes.js";
export { writeMetadata } from "hyparquet-writer/src/metadata.js";
export { writePlain } from "hyparquet-writer/src/plain.js";
export { snappyCompress } from "hyparquet-writer/src/snappy.js";
export { unconvertMinMax } from "hyparquet-writer/src/unconvert.js";
