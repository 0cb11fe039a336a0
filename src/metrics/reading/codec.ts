import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { MetadataValue, ValueList } from "../generated/collectd/types.ts";
import { normalizeReading, type TextRule } from "../wire/normalize.ts";
import { decodeText, encodeText, utf8Text } from "../wire/text.ts";

/** One decoded reading: `collectd.types.ValueList`. */
export type Reading = ValueList;

/**
 * Decodes `collectd.types.ValueList` strictly, the generic way. With `rule.lenient`, strings that are not UTF-8 come as
 * `decodeText` has them. Throws a `WireFault` for bytes that are no valid message.
 */
export function decodeReading(bytes: Uint8Array, start: number, end: number, rule: TextRule): Reading {
  const plain = normalizeReading(bytes, start, end, rule);
  return ValueList.decode(new BinaryReader(plain, rule.lenient ? decodeText : utf8Text));
}

/** Encodes a reading as `collectd.types.ValueList`: the bytes that collectd itself would send. */
export function encodeReading(reading: Reading): Uint8Array {
  const writer = ValueList.encode({ ...reading, meta_data: new Map() }, new BinaryWriter(encodeText));
  // Generated code leaves an empty key out; libprotobuf, and so collectd, writes both fields of every entry.
  for (const [key, value] of reading.meta_data) {
    writer.uint32(50).fork().uint32(10).string(key);
    MetadataValue.encode(value, writer.uint32(18).fork()).join();
    writer.join();
  }
  return writer.finish();
}
