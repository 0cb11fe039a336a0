import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { MetadataValue, ValueList } from "../generated/collectd/types.ts";
import { encodeText, hasInvalidUtf8 } from "../wire/text.ts";

/** A decoded `collectd.types.ValueList`. */
export type Reading = ValueList;

const noMetadata: Reading["meta_data"] = new Map();
// One for all: a buffer for each would be most of the work.
const shared = new BinaryWriter(encodeText);

/** Encodes a reading as `collectd.types.ValueList`, byte for byte as collectd does. */
export function encodeReading(reading: Reading): Uint8Array {
  // What an error left of another one.
  shared.finish();
  const writer = ValueList.encode({ ...reading, meta_data: noMetadata }, shared);
  // Generated code omits an empty key; libprotobuf, and so collectd, writes both fields of every entry.
  for (const [key, value] of reading.meta_data) {
    writer.uint32(50).fork().uint32(10).string(key);
    MetadataValue.encode(value, writer.uint32(18).fork()).join();
    writer.join();
  }
  return writer.finish();
}

/** Whether a string of a reading is not UTF-8, so that only readers that accept such strings take it. */
export function hasBadText({ identifier, ds_names, meta_data }: Reading): boolean {
  const texts = [...Object.values(identifier ?? {}), ...ds_names];
  for (const [key, { value }] of meta_data) texts.push(key, value?.$case === "string_value" ? value.string_value : "");
  return texts.some(hasInvalidUtf8);
}
