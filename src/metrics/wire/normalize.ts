import { WireFault } from "./fault.ts";
import { readField } from "./fields.ts";
import { type MessageShape, readingShape } from "./shapes.ts";
import { invalidUtf8At } from "./utf8.ts";

/** How strictly text is taken. */
export interface TextRule {
  /** Let strings pass that are not UTF-8. */
  readonly lenient: boolean;
}

/**
 * The same reading in its plain form: unknown fields dropped, a submessage that came in parts joined into one, every
 * metadata entry with a value. Generated decoders agree on that form, while on others many do not.
 * Throws a `WireFault` for bytes that are no valid message.
 */
export function normalizeReading(bytes: Uint8Array, start: number, end: number, rule: TextRule): Uint8Array {
  return joined(normalize(bytes, start, end, readingShape, rule));
}

type Pieces = readonly Uint8Array[];

function normalize(bytes: Uint8Array, start: number, end: number, shape: MessageShape, rule: TextRule): Pieces {
  const pieces: Uint8Array[] = [];
  const parts = new Map<number, Uint8Array[]>((shape.always ?? []).map((number) => [number, []]));
  for (let at = start; at < end; ) {
    const field = readField(bytes, at, end);
    at = field.end;
    const known = shape.fields.get(field.number);
    // A known number with another wire type is an unknown field.
    if (known?.type !== field.type) continue;
    if (known.message === undefined) {
      if (known.text === true && !rule.lenient) refuseBadText(bytes, field.start, field.end);
      pieces.push(bytes.subarray(field.tagAt, field.end));
    } else {
      const inner = normalize(bytes, field.start, field.end, known.message, rule);
      if (known.repeated === true) pieces.push(...submessage(field.number, inner));
      else parts.set(field.number, [...(parts.get(field.number) ?? []), ...inner]);
    }
  }
  // Messages are merged by joining their bytes.
  for (const [number, inner] of parts) pieces.push(...submessage(number, inner));
  return pieces;
}

function refuseBadText(bytes: Uint8Array, start: number, end: number): void {
  const at = invalidUtf8At(bytes, start, end);
  if (at < 0) return;
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  throw new WireFault(at, `a text is not valid UTF-8 (byte 0x${byte})`);
}

function submessage(number: number, inner: Pieces): Pieces {
  let length = inner.reduce((sum, piece) => sum + piece.length, 0);
  const head = [number * 8 + 2];
  for (; length > 0x7f; length = Math.floor(length / 128)) head.push((length % 128) + 0x80);
  head.push(length);
  return [Uint8Array.from(head), ...inner];
}

function joined(pieces: Pieces): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
