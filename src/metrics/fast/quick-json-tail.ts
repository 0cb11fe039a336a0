import { createBlock } from "./bytes.ts";
import { writeFraction, writeText, writeWhole } from "./digits.ts";
import type { Printer } from "./printer.ts";

// Beyond these sizes the generic way is as good.
const longestTail = 2048;
const mostMetadata = 8;
const longestInterval = 315_576_000_000;
const mostNanos = 999_999_999;

// Fields 1 to 5 of an identifier with the tags they have on the wire.
const identifierNames = ["host", "plugin", "plugin_instance", "type", "type_instance"].map((name) => `"${name}":"`);

/**
 * JSON of interval, identifier, names and metadata straight from their bytes, for a sender whose series are all new.
 * Takes ASCII without anything to escape, fields in order, metadata that is text or bool; else it returns undefined.
 * Indexes of -1 mean that in here.
 */
export function quickJsonTail(): NonNullable<Printer["quickTail"]> {
  const out = createBlock(longestTail * 4);
  const keys = new Int32Array(2 * mostMetadata);

  /** Copies the text whose length byte is at `from`. */
  function copy(view: DataView, from: number, end: number, at: number): number {
    const length = view.getUint8(from);
    if (length > 0x7f || from + 1 + length > end) return -1;
    for (let index = from + 1; index <= from + length; index += 1) {
      const byte = view.getUint8(index);
      if (byte < 0x20 || byte > 0x7f || byte === 0x22 || byte === 0x5c) return -1;
      out.view.setUint8(at++, byte);
    }
    return at;
  }

  function put(at: number, text: string): number {
    return writeText(out.view, at, text);
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
    if (from !== end || whole > longestInterval || nanos > mostNanos) return -1;
    at = writeFraction(out.view, writeWhole(out.view, put(at, ',"interval":"'), whole), nanos);
    return put(at, 's"');
  }

  function identifier(view: DataView, from: number, end: number, at: number): number {
    at = put(at, ',"identifier":{');
    const first = at;
    for (let index = 0; index < identifierNames.length; index += 1) {
      if (from >= end || view.getUint8(from) !== index * 8 + 10) continue;
      const length = view.getUint8(from + 1);
      if (length === 0) return -1;
      if (at > first) at = put(at, ",");
      at = copy(view, from + 1, end, put(at, identifierNames[index] ?? ""));
      if (at < 0) return -1;
      at = put(at, '"');
      from += 2 + length;
    }
    return from === end ? put(at, "}") : -1;
  }

  /** One metadata entry: `0A` key, `12` value, which is `0A` text or `28` bool. */
  function metadata(view: DataView, from: number, end: number, at: number, index: number): number {
    if (view.getUint8(from) !== 0x0a || index === mostMetadata) return -1;
    const keyAt = at + 1;
    at = copy(view, from + 1, end, put(at, '"'));
    if (at < 0 || repeats(keyAt, at, index)) return -1;
    from += 2 + view.getUint8(from + 1);
    if (from + 2 > end || view.getUint8(from) !== 0x12 || from + 2 + view.getUint8(from + 1) !== end) return -1;
    from += 2;
    if (view.getUint8(from) === 0x28 && end - from === 2 && view.getUint8(from + 1) < 2) {
      return put(at, view.getUint8(from + 1) === 1 ? '":{"bool_value":true}' : '":{"bool_value":false}');
    }
    if (view.getUint8(from) !== 0x0a || from + 2 + view.getUint8(from + 1) !== end) return -1;
    at = copy(view, from + 1, end, put(at, '":{"string_value":"'));
    return at < 0 ? -1 : put(at, '"}');
  }

  /** Whether a key has been written before; the last entry of a key counts, which the generic way sees to. */
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
    if (end - from > longestTail) return undefined;
    let at = 0;
    let previous = 0;
    let repeated = 0;
    while (from < end) {
      const tag = view.getUint8(from);
      const low = view.getUint8(from + 1);
      const start = low > 0x7f ? from + 3 : from + 2;
      const next = start + (low > 0x7f ? (low & 0x7f) + view.getUint8(from + 2) * 128 : low);
      if (next > end || tag < previous || (low > 0x7f && view.getUint8(from + 2) > 0x7f)) return undefined;
      repeated = tag === previous ? repeated + 1 : 0;
      previous = tag;
      if (tag === 0x2a) {
        at = copy(view, start - 1, next, put(at, repeated === 0 ? ',"ds_names":["' : ',"'));
        if (at >= 0) at = put(at, '"');
      } else if (tag === 0x32) {
        if (start === next) return undefined;
        at = metadata(view, start, next, put(at, repeated === 0 ? ',"meta_data":{' : ","), repeated);
      } else if (tag === 0x1a && repeated === 0) {
        at = interval(view, start, next, at);
      } else if (tag === 0x22 && repeated === 0) {
        at = identifier(view, start, next, at);
      } else {
        return undefined;
      }
      if (at < 0) return undefined;
      from = next;
      // A list or map ends where the next field differs.
      if ((tag === 0x2a || tag === 0x32) && (from >= end || view.getUint8(from) !== tag))
        at = put(at, tag === 0x2a ? "]" : "}");
    }
    return { texts: [out.bytes.subarray(0, put(at, "}\n"))], tag: 0 };
  };
}
