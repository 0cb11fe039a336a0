// The parts of hyparquet-writer that write what src/metrics/parquet makes. It exports none of them, so that its version is
// pinned, and test/metrics/parquet/parts.test.ts says what is relied on.
export { writePageHeader } from "hyparquet-writer/src/datapage.js";
export { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
export { writeIndexes } from "hyparquet-writer/src/indexes.js";
export { writeMetadata } from "hyparquet-writer/src/metadata.js";
export { writePlain } from "hyparquet-writer/src/plain.js";
export { snappyCompress } from "hyparquet-writer/src/snappy.js";
export { unconvertMinMax } from "hyparquet-writer/src/unconvert.js";
