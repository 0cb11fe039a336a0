import { BinaryReader } from "@bufbuild/protobuf/wire";
import { ValueList } from "../generated/collectd/types.ts";
import { normalizeReading, type TextRule } from "../wire/normalize.ts";
import { textOfAnyBytes } from "../wire/raw-text.ts";
import { utf8Text } from "../wire/utf8.ts";

/** One decoded reading: `collectd.types.ValueList`. */
export type Reading = ValueList;

/**
 * Decodes `collectd.types.ValueList` strictly, the generic way. With `rule.lenient`, strings that are not UTF-8 come as
 * `textOfAnyBytes` has them. Throws a `WireFault` for bytes that are no valid message.
 */
export function decodeReading(bytes: Uint8Array, start: number, end: number, rule: TextRule): Reading {
  const plain = normalizeReading(bytes, start, end, rule);
  return ValueList.decode(new BinaryReader(plain, rule.lenient ? textOfAnyBytes : utf8Text));
}
