import type { RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writeIndexes, writeMetadata } from "../hyparquet-parts.ts";
import { openTarget } from "../outputs.ts";
import { maxBound, type WrittenChunk } from "./column-chunk.ts";
import { compression } from "./compression.ts";
import { type GroupRows, writeRowGroup } from "./row-group.ts";
import { namesKey } from "./schema.ts";

/** The first and the last bytes of a file. */
const magic = 0x31_52_41_50;

/** A Parquet file that is being written. It has a scratch name until it is published, unless it is a pipe or a device. */
export type ParquetFile = ReturnType<typeof createParquetFile>;

/**
 * Starts a Parquet file. A link is followed, and a pipe or a device is written to rather than replaced. Without `syncs`, the
 * caller waits for the disk. Throws file system errors, and `OutputClosed` if the reader of a pipe is gone.
 */
export function createParquetFile(named: string, elements: readonly SchemaElement[], syncs: boolean) {
  const target = openTarget(named, { syncs });
  const writer = new ByteWriter();
  const rowGroups: RowGroup[] = [];
  const chunks: WrittenChunk[] = [];
  let rows = 0n;
  writer.appendUint32(magic);

  function send(): void {
    target.sink.write(writer.getBytes());
    writer.index = 0;
  }

  /** Completes the file, with the names of the values of readings as lists in JSON, and returns the name that it has until it is published. */
  function finish(names: Iterable<string>): string {
    writeIndexes(writer, chunks);
    const schema = [{ name: "readings", num_children: elements.length }, ...elements];
    const metadata = { version: 2, created_by: "tongs", schema, num_rows: rows, row_groups: rowGroups };
    const key_value_metadata = [{ key: namesKey, value: `[${[...names].join()}]` }];
    writeMetadata(writer, { ...metadata, key_value_metadata, metadata_length: 0 }, maxBound);
    writer.appendUint32(magic);
    send();
    target.close();
    return target.path;
  }

  return {
    /** Adds rows as a row group. */
    add: (group: GroupRows) => {
      const written = writeRowGroup(writer, group, elements, compression);
      rowGroups.push(written.rowGroup);
      chunks.push(...written.chunks);
      rows += written.rowGroup.num_rows;
      send();
    },
    finish,
    /** Gives the file its name, once it is complete. */
    publish: target.publish,
    /** Removes the file, if it was not published. */
    discard: target.discard,
  };
}
