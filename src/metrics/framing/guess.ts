import { readField, wireType } from "../wire/fields.ts";
import { looksWrapped } from "../wire/unwrap.ts";
import { type Layout, layoutOf, readDelimited, readGrpc } from "./framing.ts";

/**
 * Detects the layout from the start of an input. Returns undefined if more bytes are needed; never once it has `ended`.
 *
 * The order matters, because a tenth of all delimited files also parse as raw, without their values: gRPC if flags and
 * lengths chain; delimited if the first message is well-formed and has an identifier; else raw.
 */
export function guessLayout(bytes: Uint8Array, start: number, end: number, ended: boolean): Layout | undefined {
  const grpc = looksGrpc(bytes, start, end);
  if (grpc && (ended || readGrpc(bytes, start, end).kind === "message")) return layoutOf("grpc");
  const first = readDelimited(bytes, start, end);
  if (first.kind === "message") {
    if (hasIdentifier(bytes, first.start, first.end)) return layoutOf("delimited");
    if (looksWrapped(bytes, first.start, first.end)) return { framing: "delimited", wrapped: true };
  }
  if (!ended) return undefined;
  // A raw message never starts with a zero byte, so the file is delimited and its first reading is empty.
  if (bytes[start] === 0 && start < end) return layoutOf("delimited");
  if (looksWrapped(bytes, start, end)) return { framing: "raw", wrapped: true };
  if (!isWellFormed(bytes, start, end) && hasWellFormedMessage(bytes, start, end)) return layoutOf("delimited");
  return layoutOf("raw");
}

/** Whether gRPC flags and lengths chain to the end; the last frame may be incomplete. */
function looksGrpc(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return false;
  let at = start;
  while (at < end) {
    const frame = readGrpc(bytes, at, end);
    if (frame.kind === "fault") return false;
    if (frame.kind === "incomplete") return at > start || beginsLikeRequest(bytes, start, end);
    if (frame.compressed && !isGzip(bytes, frame.start, frame.end)) return false;
    at = frame.next;
  }
  return true;
}

/** Whether a single incomplete frame starts like a request: the tag of field 1, or gzip. */
function beginsLikeRequest(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 7) return false;
  return bytes[start] === 0 ? bytes[start + 5] === 0x0a : isGzip(bytes, start + 5, end);
}

function isGzip(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 2 && bytes[start] === 0x1f && bytes[start + 1] === 0x8b;
}

/** Whether one of the first messages is well-formed, so that a damaged first one does not make a recording look raw. */
function hasWellFormedMessage(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  for (let count = 0; count < 16 && at < end; count += 1) {
    const frame = readDelimited(bytes, at, end);
    if (frame.kind !== "message") return false;
    if (hasIdentifier(bytes, frame.start, frame.end)) return true;
    at = frame.next;
  }
  return false;
}

/** Whether the bytes are a well-formed message with an identifier; strings are not checked. */
function hasIdentifier(bytes: Uint8Array, start: number, end: number): boolean {
  return isWellFormed(bytes, start, end, (number, type) => number === 4 && type === wireType.bytes);
}

/** Whether the bytes are fields, of which one is wanted. */
export function isWellFormed(
  bytes: Uint8Array,
  start: number,
  end: number,
  wanted: (number: number, type: number) => boolean = () => true,
): boolean {
  let found = false;
  try {
    for (let at = start; at < end; ) {
      const field = readField(bytes, at, end);
      found ||= wanted(field.number, field.type);
      at = field.end;
    }
  } catch {
    return false;
  }
  return found;
}
