import { slack } from "./block.ts";
import { readField, wireType } from "./fields.ts";

/**
 * The reading in field 1 of a `PutValuesRequest` or `QueryValuesResponse`; undefined if there is none. A field that occurs
 * several times is merged, with `slack` bytes after it. Throws a `WireFault` for an invalid message.
 */
export function unwrap(
  bytes: Uint8Array,
  start: number,
  end: number,
): { start: number; end: number; from: Uint8Array } | undefined {
  const parts: { start: number; end: number }[] = [];
  for (let at = start; at < end; ) {
    const field = readField(bytes, at, end);
    if (field.number === 1 && field.type === wireType.bytes) parts.push(field);
    at = field.end;
  }
  const [first] = parts;
  if (first === undefined) return undefined;
  if (parts.length === 1) return { start: first.start, end: first.end, from: bytes };
  const size = parts.reduce((sum, part) => sum + part.end - part.start, 0);
  const merged = new Uint8Array(size + slack);
  let at = 0;
  for (const part of parts) {
    merged.set(bytes.subarray(part.start, part.end), at);
    at += part.end - part.start;
  }
  return { start: 0, end: size, from: merged };
}

/** The tags of the fields of a reading, which all have a length. */
export const tagsOfReading = new Set([0x0a, 0x12, 0x1a, 0x22, 0x2a, 0x32]);

/**
 * Whether the bytes are a wrapper rather than a reading: a single field 1 whose content starts with a tag that is not
 * allowed in a `Value`.
 */
export function looksWrapped(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x0a || end - start < 4) return false;
  try {
    const field = readField(bytes, start, end);
    return field.end === end && tagsOfReading.has(bytes[field.start] ?? 0);
  } catch {
    return false;
  }
}
