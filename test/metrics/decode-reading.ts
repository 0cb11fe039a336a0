import { BinaryReader } from "@bufbuild/protobuf/wire";
import { ValueList } from "../../src/metrics/generated/collectd/types.ts";
import type { Reading } from "../../src/metrics/reading/codec.ts";
import { readField, varint, WireFault, wireType } from "../../src/metrics/wire/fields.ts";
import { decodeText, invalidUtf8At, utf8Text } from "../../src/metrics/wire/text.ts";

/** A field of the schema; `message` is the shape of a submessage. */
interface FieldShape {
  readonly type: number;
  readonly text?: boolean;
  readonly repeated?: boolean;
  readonly message?: MessageShape;
}

/** The fields of a message by number. */
export interface MessageShape {
  readonly fields: ReadonlyMap<number, FieldShape>;
  /** Numbers of submessages that are added as empty ones if missing. */
  readonly always?: readonly number[];
}

const number: FieldShape = { type: wireType.varint };
const double: FieldShape = { type: wireType.fixed64 };
const text: FieldShape = { type: wireType.bytes, text: true };

function shape(fields: Readonly<Record<number, FieldShape>>, always: readonly number[] = []): MessageShape {
  return { fields: new Map(Object.entries(fields).map(([key, field]) => [Number(key), field])), always };
}

function message(of: MessageShape, repeated = false): FieldShape {
  return { type: wireType.bytes, message: of, repeated };
}

const moment = shape({ 1: number, 2: number });
const identifier = shape({ 1: text, 2: text, 3: text, 4: text, 5: text });
const value = shape({ 1: number, 2: double, 3: number, 4: number });
const metadataValue = shape({ 1: text, 2: number, 3: number, 4: double, 5: number });
const metadataEntry = shape({ 1: text, 2: message(metadataValue) }, [2]);

/** `collectd.types.ValueList`, as in proto/collectd/types.proto. */
export const readingShape = shape({
  1: message(value, true),
  2: message(moment),
  3: message(moment),
  4: message(identifier),
  5: { ...text, repeated: true },
  6: message(metadataEntry, true),
});

/** How strings are checked. */
interface TextRule {
  /** Accept strings that are not valid UTF-8. */
  readonly lenient: boolean;
}

/**
 * The generic decoder for `collectd.types.ValueList`. With `rule.lenient`, decodes strings that are not UTF-8 with
 * `decodeText`. Throws a `WireFault` for an invalid message.
 */
export function decodeReading(bytes: Uint8Array, start: number, end: number, rule: TextRule): Reading {
  const plain = normalizeReading(bytes, start, end, rule);
  return ValueList.decode(new BinaryReader(plain, rule.lenient ? decodeText : utf8Text));
}

/**
 * Rewrites a reading in canonical form: without unknown fields, with the parts of a submessage merged, and with a value
 * in every metadata entry. Generated decoders disagree on other forms. Throws a `WireFault` for an invalid message.
 */
function normalizeReading(bytes: Uint8Array, start: number, end: number, rule: TextRule): Uint8Array {
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
    // A known field number with a different wire type is an unknown field.
    if (known?.type !== field.type) continue;
    if (known.message === undefined) {
      if (known.text === true && !rule.lenient) checkUtf8(bytes, field.start, field.end);
      pieces.push(bytes.subarray(field.tagAt, field.end));
    } else {
      const inner = normalize(bytes, field.start, field.end, known.message, rule);
      if (known.repeated === true) pieces.push(...submessage(field.number, inner));
      else parts.set(field.number, [...(parts.get(field.number) ?? []), ...inner]);
    }
  }
  // Concatenating the bytes of messages merges them.
  for (const [number, inner] of parts) pieces.push(...submessage(number, inner));
  return pieces;
}

function checkUtf8(bytes: Uint8Array, start: number, end: number): void {
  const at = invalidUtf8At(bytes, start, end);
  if (at < 0) return;
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  throw new WireFault(at, `a string is not valid UTF-8 (byte 0x${byte})`);
}

function submessage(number: number, inner: Pieces): Pieces {
  const length = inner.reduce((sum, piece) => sum + piece.length, 0);
  return [Uint8Array.from(varint(length, [number * 8 + wireType.bytes])), ...inner];
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
