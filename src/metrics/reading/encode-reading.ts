import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { ValueList } from "../generated/collectd/types.ts";
import { bytesOfAnyText } from "../wire/raw-text.ts";
import type { Reading } from "./decode-reading.ts";

/** Encodes a reading as `collectd.types.ValueList`: fields in order of their numbers, as collectd does. */
export function encodeReading(reading: Reading): Uint8Array {
  return ValueList.encode(reading, new BinaryWriter(bytesOfAnyText)).finish();
}
