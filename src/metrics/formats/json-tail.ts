import { type Fields, metaKind } from "../decode/fields.ts";
import { identityParts } from "../reading/identity.ts";
import { durationText, exactSeconds, maxDuration, maxNanos } from "../reading/moments.ts";
import { createBlock, literal } from "../wire/block.ts";
import { decodeText, displayText, hasInvalidUtf8 } from "../wire/text.ts";
import {
  writeDouble,
  writeFraction,
  writeLiteral,
  writeSigned,
  writeText,
  writeUnsigned,
  writeWhole,
} from "./write.ts";

const names = identityParts.map((name) => literal(`"${name}":`));
const texts = {
  interval: literal(',"interval":"'),
  seconds: literal('s"'),
  identifier: literal(',"identifier":{'),
  names: literal(',"ds_names":['),
  metadata: literal(',"meta_data":{'),
  invalid: literal(',"invalid_utf8":'),
  integers: ["", "", "int64_value", "uint64_value"].map((name) => literal(`{"${name}":"`)),
  double: literal('{"double_value":'),
  string: literal('{"string_value":'),
  true: literal('{"bool_value":true}'),
  false: literal('{"bool_value":false}'),
  nothing: literal("{}"),
};
const [quote, comma, colon, object, end, list] = [0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5d];
const usualCapacity = 16 * 1024;

/** Writes JSON of what is the same in all readings of a series from their bytes, without decoding strings that need no escape. */
export function createJsonTail() {
  let out = createBlock(usualCapacity);
  /** The paths of strings that are not UTF-8. */
  let invalid: string[] = [];

  /** Makes room for all that a reading can need: six bytes for one that is escaped, and paths. */
  function begin({ names, nameCount, metadata, metaKinds, metaCount, parts }: Fields): void {
    let bytes = 0;
    for (let index = 0; index < 10; index += 2) bytes += (parts[index + 1] ?? 0) - (parts[index] ?? 0);
    for (let index = 0; index < 2 * nameCount; index += 2) bytes += (names[index + 1] ?? 0) - (names[index] ?? 0);
    for (let entry = 0; entry < metaCount; entry += 1) {
      bytes += (metadata[4 * entry + 1] ?? 0) - (metadata[4 * entry] ?? 0);
      if (metaKinds[entry] === metaKind.text) bytes += (metadata[4 * entry + 3] ?? 0) - (metadata[4 * entry + 2] ?? 0);
    }
    const most = 6 * bytes + 64 * nameCount + 160 * metaCount + 1024;
    if (most > out.capacity || out.capacity > usualCapacity) out = createBlock(Math.max(most, usualCapacity));
    if (invalid.length > 0) invalid = [];
  }

  function putByte(byte: number, at: number): number {
    out.view.setUint8(at, byte);
    return at + 1;
  }

  function putText(text: string, at: number): number {
    return at + encoder.encodeInto(text, out.bytes.subarray(at)).written;
  }

  /** Writes a string; -1 if a character needs escaping or is not ASCII. */
  function putPlain({ view }: Fields, start: number, stop: number, at: number): number {
    const to = out.view;
    to.setUint8(at, quote);
    at += 1 - start;
    let odd = 0;
    for (let from = start; from < stop; from += 4) {
      let word = view.getInt32(from, true);
      to.setInt32(at + from, word, true);
      const left = stop - from;
      // Replace the bytes after the string with letters.
      if (left < 4) word = (word & ((1 << (left * 8)) - 1)) | (0x61616161 << (left * 8));
      odd |= oddBytes(word);
    }
    if (odd !== 0) return -1;
    to.setUint8(at + stop, quote);
    return at + stop + 1;
  }

  function putOdd(fields: Fields, start: number, stop: number, path: () => string, at: number): number {
    const text = decodeText(fields.bytes.subarray(start, stop));
    const isInvalid = hasInvalidUtf8(text);
    if (isInvalid) invalid.push(path());
    return putText(JSON.stringify(isInvalid ? displayText(text) : text), at);
  }

  function putInterval({ interval }: Fields, at: number): number {
    const { seconds, nanos } = interval;
    if (seconds >= 0 && seconds <= maxDuration && nanos >= 0 && nanos <= maxNanos) {
      at = writeWhole(out.view, writeLiteral(out.view, at, texts.interval), seconds);
      return writeLiteral(out.view, writeFraction(out.view, at, nanos), texts.seconds);
    }
    const text = durationText(interval);
    const shown = text === undefined ? `{"seconds":"${exactSeconds(interval)}","nanos":${nanos}}` : `"${text}"`;
    return putText(`,"interval":${shown}`, at);
  }

  function putIdentifier(fields: Fields, at: number): number {
    const { parts } = fields;
    at = writeLiteral(out.view, at, texts.identifier);
    const first = at;
    for (let part = 0; part < names.length; part += 1) {
      const start = parts[2 * part] ?? 0;
      const stop = parts[2 * part + 1] ?? 0;
      if (start === stop) continue;
      if (at > first) at = putByte(comma, at);
      at = writeLiteral(out.view, at, names[part] ?? texts.nothing);
      const next = putPlain(fields, start, stop, at);
      at = next < 0 ? putOdd(fields, start, stop, () => `identifier.${identityParts[part]}`, at) : next;
    }
    return putByte(end, at);
  }

  function putNames(fields: Fields, at: number): number {
    at = writeLiteral(out.view, at, texts.names);
    for (let index = 0; index < fields.nameCount; index += 1) {
      const start = fields.names[2 * index] ?? 0;
      const stop = fields.names[2 * index + 1] ?? 0;
      if (index > 0) at = putByte(comma, at);
      const next = putPlain(fields, start, stop, at);
      at = next < 0 ? putOdd(fields, start, stop, () => `ds_names[${index}]`, at) : next;
    }
    return putByte(list, at);
  }

  function putMetadata(fields: Fields, at: number): number {
    const { metadata, metaCount } = fields;
    for (let entry = 0; entry < metaCount; entry += 1) {
      const start = metadata[4 * entry] ?? 0;
      const stop = metadata[4 * entry + 1] ?? 0;
      if (entry > 0) at = putByte(comma, at);
      const next = putPlain(fields, start, stop, at);
      at = next < 0 ? putOdd(fields, start, stop, () => `meta_data[${entry}].key`, at) : next;
      at = putMetadataValue(fields, entry, putByte(colon, at));
    }
    return putByte(end, at);
  }

  function putMetadataValue(fields: Fields, entry: number, at: number): number {
    const { metadata, metaKinds } = fields;
    const { view } = out;
    const which = metaKinds[entry] ?? 0;
    const one = metadata[4 * entry + 2] ?? 0;
    const other = metadata[4 * entry + 3] ?? 0;
    if (which === metaKind.bool) return writeLiteral(view, at, (one | other) === 0 ? texts.false : texts.true);
    if (which === 0) return writeLiteral(view, at, texts.nothing);
    if (which === metaKind.text) {
      at = writeLiteral(view, at, texts.string);
      const next = putPlain(fields, one, other, at);
      at = next < 0 ? putOdd(fields, one, other, () => `meta_data[${entry}].value`, at) : next;
    } else if (which === metaKind.double) {
      const value = fields.view.getFloat64(one, true);
      at = writeLiteral(view, at, texts.double);
      at = Number.isFinite(value) ? writeDouble(view, at, value) : writeText(view, at, `"${value}"`);
    } else {
      const write = which === metaKind.signed ? writeSigned : writeUnsigned;
      at = writeLiteral(view, at, texts.integers[which] ?? texts.nothing);
      at = putByte(quote, write(view, at, other >>> 0, one >>> 0));
    }
    return putByte(end, at);
  }

  /** The members `interval` to `invalid_utf8`, each after a comma, and the closing brace. Reused by the next call. */
  function members(fields: Fields): Uint8Array {
    begin(fields);
    let at = fields.interval.isSet ? putInterval(fields, 0) : 0;
    if (fields.hasIdentifier) at = putIdentifier(fields, at);
    if (fields.nameCount > 0) at = putNames(fields, at);
    if (fields.metaCount > 0) at = putMetadata(fields, writeLiteral(out.view, at, texts.metadata));
    if (invalid.length > 0) at = putText(JSON.stringify(invalid), writeLiteral(out.view, at, texts.invalid));
    return out.bytes.subarray(0, putByte(end, at));
  }

  /** The object of the metadata. */
  function metadata(fields: Fields): string {
    begin(fields);
    return decodeText(out.bytes.subarray(0, putMetadata(fields, putByte(object, 0))));
  }

  return { members, metadata };
}

const encoder = new TextEncoder();

/** Nonzero if any of four bytes is a control character, `"`, `\\` or not ASCII. */
function oddBytes(word: number): number {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  const below =
    ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
  return (below | word) & 0x80808080;
}
