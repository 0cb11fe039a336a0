import { contentEnd, contentStart, createBlock, type Literal, literal } from "../wire/block.ts";
import type { Printer } from "./transcoder.ts";
import { writeFraction, writeLiteral, writeWhole } from "./write.ts";

// Larger tails go through the generic decoder.
const maxTailSize = 2048;
const maxMetadata = 8;
const maxInterval = 315_576_000_000;
const maxNanos = 999_999_999;

// Fields 1 to 5 of an identifier, in order.
const identifierNames = ["host", "plugin", "plugin_instance", "type", "type_instance"].map((name) =>
  literal(`"${name}":"`),
);

const texts = {
  interval: literal(',"interval":"'),
  seconds: literal('s"'),
  identifier: literal(',"identifier":{'),
  names: literal(',"ds_names":["'),
  nextName: literal(',"'),
  metadata: literal(',"meta_data":{'),
  true: literal('":{"bool_value":true}'),
  false: literal('":{"bool_value":false}'),
  string: literal('":{"string_value":"'),
  stringEnd: literal('"}'),
  end: literal("}\n"),
  quote: literal('"'),
  comma: literal(","),
  object: literal("}"),
  list: literal("]"),
};

/**
 * Converts interval, identifier, names and metadata from bytes to JSON without decoding them, for inputs with many series.
 * Supports ASCII that needs no escaping, fields in order, and string or bool metadata; otherwise returns undefined.
 * Within this function, an index of -1 means the same.
 */
export function createJsonTail(): NonNullable<Printer["rawTail"]> {
  const out = createBlock(maxTailSize * 4);
  const keys = new Int32Array(2 * maxMetadata);

  /** Copies a string; -1 if a character needs escaping or is not ASCII. */
  function copy(view: DataView, from: number, end: number, at: number): number {
    let odd = 0;
    for (let offset = from; offset < end; offset += 4) {
      let word = view.getInt32(offset, true);
      out.view.setInt32(at + offset - from, word, true);
      const left = end - offset;
      // Replace the bytes after the string with letters.
      if (left < 4) word = (word & ((1 << (left * 8)) - 1)) | (0x61616161 << (left * 8));
      odd |= oddBytes(word);
    }
    return odd === 0 ? at + end - from : -1;
  }

  function put(at: number, text: Literal): number {
    return writeLiteral(out.view, at, text);
  }

  function interval(view: DataView, from: number, end: number, at: number): number {
    let whole = 0;
    let nanos = 0;
    for (const tag of [0x08, 0x10]) {
      if (from === end || view.getUint8(from) !== tag) continue;
      let scale = 1;
      let value = 0;
      let byte = 0x80;
      for (from += 1; byte > 0x7f && scale < 2 ** 42; scale *= 128) {
        byte = view.getUint8(from++);
        value += (byte & 0x7f) * scale;
      }
      if (byte > 0x7f) return -1;
      if (tag === 0x08) whole = value;
      else nanos = value;
    }
    if (from !== end || whole > maxInterval || nanos > maxNanos) return -1;
    at = writeFraction(out.view, writeWhole(out.view, put(at, texts.interval), whole), nanos);
    return put(at, texts.seconds);
  }

  function identifier(view: DataView, from: number, end: number, at: number): number {
    at = put(at, texts.identifier);
    const first = at;
    for (let index = 0; index < identifierNames.length; index += 1) {
      if (from >= end || view.getUint8(from) !== index * 8 + 10) continue;
      const next = contentEnd(view, from + 1, end);
      const start = contentStart(view, from + 1);
      if (next <= start) return -1;
      if (at > first) at = put(at, texts.comma);
      at = copy(view, start, next, put(at, identifierNames[index] ?? texts.quote));
      if (at < 0) return -1;
      at = put(at, texts.quote);
      from = next;
    }
    return from === end ? put(at, texts.object) : -1;
  }

  /** Writes one metadata entry: `0A` key, `12` value, which is a `0A` string or a `28` bool. */
  function metadata(view: DataView, from: number, end: number, at: number, index: number): number {
    if (view.getUint8(from) !== 0x0a || index === maxMetadata) return -1;
    const keyEnd = contentEnd(view, from + 1, end);
    if (keyEnd < 0) return -1;
    const keyAt = at + 1;
    at = copy(view, contentStart(view, from + 1), keyEnd, put(at, texts.quote));
    if (at < 0 || repeats(keyAt, at, index)) return -1;
    if (keyEnd >= end || view.getUint8(keyEnd) !== 0x12 || contentEnd(view, keyEnd + 1, end) !== end) return -1;
    from = contentStart(view, keyEnd + 1);
    if (view.getUint8(from) === 0x28 && end - from === 2 && view.getUint8(from + 1) < 2) {
      return put(at, view.getUint8(from + 1) === 1 ? texts.true : texts.false);
    }
    if (from >= end || view.getUint8(from) !== 0x0a || contentEnd(view, from + 1, end) !== end) return -1;
    at = copy(view, contentStart(view, from + 1), end, put(at, texts.string));
    return at < 0 ? -1 : put(at, texts.stringEnd);
  }

  /** Whether the key is a duplicate. Only the last entry of a key counts, which the generic decoder handles. */
  function repeats(start: number, end: number, index: number): boolean {
    keys[2 * index] = start;
    keys[2 * index + 1] = end - start;
    for (let earlier = 0; earlier < index; earlier += 1) {
      const from = keys[2 * earlier] ?? 0;
      let same = keys[2 * earlier + 1] === end - start ? 0 : -1;
      while (same >= 0 && same < end - start && out.bytes[from + same] === out.bytes[start + same]) same += 1;
      if (same === end - start) return true;
    }
    return false;
  }

  return (view, from, end) => {
    if (end - from > maxTailSize) return undefined;
    let at = 0;
    let previous = 0;
    let repeated = 0;
    while (from < end) {
      const tag = view.getUint8(from);
      const start = contentStart(view, from + 1);
      const next = contentEnd(view, from + 1, end);
      if (next < 0 || tag < previous) return undefined;
      repeated = tag === previous ? repeated + 1 : 0;
      previous = tag;
      if (tag === 0x2a) {
        at = copy(view, start, next, put(at, repeated === 0 ? texts.names : texts.nextName));
        if (at >= 0) at = put(at, texts.quote);
      } else if (tag === 0x32) {
        if (start === next) return undefined;
        at = metadata(view, start, next, put(at, repeated === 0 ? texts.metadata : texts.comma), repeated);
      } else if (tag === 0x1a && repeated === 0) {
        at = interval(view, start, next, at);
      } else if (tag === 0x22 && repeated === 0) {
        at = identifier(view, start, next, at);
      } else {
        return undefined;
      }
      if (at < 0) return undefined;
      from = next;
      // A list or map ends before a different field.
      if ((tag === 0x2a || tag === 0x32) && (from >= end || view.getUint8(from) !== tag))
        at = put(at, tag === 0x2a ? texts.list : texts.object);
    }
    return { texts: [out.bytes.subarray(0, put(at, texts.end))], tag: 0 };
  };
}

/** Nonzero if any of four bytes is a control character, `"`, `\\` or not ASCII. */
function oddBytes(word: number): number {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  const below =
    ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
  return (below | word) & 0x80808080;
}
