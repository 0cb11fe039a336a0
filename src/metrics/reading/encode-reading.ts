import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { MetadataValue, ValueList } from "../generated/collectd/types.ts";
import { bytesOfAnyText } from "../wire/raw-text.ts";
import type { Reading } from "./decode-reading.ts";

/** Encodes a reading as `collectd.types.ValueList`: the bytes that collectd itself would send. */
export function encodeReading(reading: Reading): Uint8Array {
  const writer = ValueList.encode({ ...reading, meta_data: new Map() }, new BinaryWriter(bytesOfAnyText));
  // Generated code leaves an empty key out; libprotobuf, and so collectd, writes both fields of every entry.
  for (const [key, value] of reading.meta_data) {
    writer.uint32(50).fork().uint32(10).string(key);
    MetadataValue.encode(value, writer.uint32(18).fork()).join();
    writer.join();
  }
  return writer.finish();
}
