import { type Frame, type Layout, maxMessageSize, readDelimited, readGrpc } from "../framing/framing.ts";
import { contentEnd, contentStart, padded, slack } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import { unwrap } from "../wire/unwrap.ts";
import type { Window } from "./source.ts";

/** Types of errors in a stream of messages. Reading can continue only after `bad-message`. */
export type FaultKind = "truncated" | "bad-length" | "bad-frame" | "bad-message";

/** An error in a stream of messages. */
export interface StreamFault {
  readonly kind: FaultKind;
  /** What is counted: messages, or packets of the network protocol. */
  readonly unit?: "packet";
  /** Number of the message, from 1. */
  readonly message: number;
  /** Offset in the input, from 0; for a compressed message, the start of its frame. */
  readonly at: number;
  /** Description without the position. */
  readonly what: string;
}

/** For example `message 3, byte 151: the message ends in the middle of a varint`. */
export function faultText({ unit, message, at, what }: StreamFault): string {
  return `${unit ?? "message"} ${message}, byte ${at}: ${what}`;
}

/** Handles an encoded reading; `bytes` extend `slack` bytes past `end`. Returns false to stop. Throws a `WireFault`. */
export type MessageHandler = (bytes: Uint8Array, view: DataView, start: number, end: number) => boolean;

/** Handles messages that stand alone, until the handler stops. Those that are not valid are passed over; `skip` gets the reason. */
export function handleAlone(
  handle: MessageHandler,
  messages: readonly Uint8Array[],
  skip: (fault: string) => void,
): void {
  for (const message of messages) {
    const { bytes, view } = padded(message);
    try {
      if (!handle(bytes, view, 0, message.length)) return;
    } catch (error) {
      if (!(error instanceof WireFault)) throw error;
      skip(error.message);
    }
  }
}

/** Functions that process messages. */
export interface Handlers {
  readonly handle: MessageHandler;
  /** Decompresses gzip, with `slack` bytes after the result; undefined until it is needed. Throws a `WireFault`. */
  readonly decompress: ((compressed: Uint8Array) => Uint8Array) | undefined;
}

/**
 * Result of walking a window: more bytes are needed, the handler stopped, `decompress` must be loaded before the same
 * message is tried again, or there is an error.
 */
export type WalkResult = "more" | "stopped" | "compressed" | StreamFault;

/** The number of messages in an input, and of readings that were handled. */
export interface Counts {
  messages: number;
  readings: number;
}

/** Passes each complete message in the window to the handler. After a bad message, the window starts at the next one. */
export function walkMessages(
  window: Window,
  layout: Layout,
  counts: Counts,
  { handle, decompress }: Handlers,
): WalkResult {
  const { bytes, view } = window.block;
  if (layout.framing === "raw") return walkRaw(window, layout, handle, counts);
  while (window.start < window.end) {
    const start = window.start;
    if (bytes[start] === 0) {
      const zeros = zeroRun(window, layout, counts);
      if (zeros !== undefined) return zeros;
    }
    let from = start;
    let to = -1;
    // Handle the common cases without creating a frame object.
    if (layout.framing === "delimited" && !layout.wrapped) {
      from = contentStart(view, start);
      to = contentEnd(view, start, window.end);
    } else if (layout.framing === "grpc" && window.end - start > 7) {
      from = contentStart(view, start + 6);
      to = plainGrpcEnd(view, start, window.end);
    }
    if (to >= 0) {
      window.start = to;
      counts.messages += 1;
      try {
        if (!handle(bytes, view, from, to)) return stopped(counts);
        counts.readings += 1;
      } catch (error) {
        return resultOfError(error, window, start, counts);
      }
      continue;
    }
    const frame =
      layout.framing === "grpc" ? readGrpc(bytes, start, window.end) : readDelimited(bytes, start, window.end);
    if (frame.kind === "incomplete") return "more";
    const ended = walkFrame(frame, window, layout, counts, { handle, decompress });
    if (ended !== undefined) return ended;
  }
  return "more";
}

/**
 * Zero bytes are what a crash leaves of a recording, not empty messages: a message never has the length 0 twice in a row,
 * and neither does a gRPC frame. Returns undefined for a single one.
 */
function zeroRun(window: Window, { framing }: Layout, counts: Counts): "more" | StreamFault | undefined {
  const { bytes } = window.block;
  const { start } = window;
  let next = start;
  while (next < window.end && bytes[next] === 0) next += 1;
  const least = framing === "grpc" ? 10 : 2;
  const mayContinue = next === window.end && !window.ended;
  if (next - start < least + (mayContinue ? 1 : 0)) return mayContinue ? "more" : undefined;
  counts.messages += 1;
  // If more may follow, leave enough zeros that they are not taken for an empty message.
  window.start = mayContinue ? next - least : next;
  // In gRPC framing, the start of the next frame is unknown: it begins with a zero byte itself.
  const kind = framing === "grpc" ? "bad-frame" : "bad-message";
  const what = `${next - start} zero bytes instead of ${framing === "grpc" ? "frames" : "messages"}`;
  return { kind, message: counts.messages, at: window.base + start, what };
}

/** The end of an uncompressed gRPC frame that contains exactly one reading; -1 for any other. */
function plainGrpcEnd(view: DataView, at: number, end: number): number {
  if (view.getUint8(at) !== 0 || view.getUint8(at + 5) !== 0x0a) return -1;
  const next = at + 5 + view.getUint32(at + 1);
  return next <= end && contentEnd(view, at + 6, next) === next ? next : -1;
}

function walkFrame(
  frame: Exclude<Frame, { kind: "incomplete" }>,
  window: Window,
  layout: Layout,
  counts: Counts,
  { handle, decompress }: Handlers,
): WalkResult | undefined {
  const at = window.start;
  if (frame.kind !== "fault" && frame.compressed && decompress === undefined) return "compressed";
  counts.messages += 1;
  if (frame.kind === "fault") {
    const kind = layout.framing === "grpc" && (window.block.bytes[window.start] ?? 0) > 1 ? "bad-frame" : "bad-length";
    return { kind, message: counts.messages, at: window.base + at, what: frame.message };
  }
  window.start = frame.next;
  const { bytes } = window.block;
  try {
    const content = frame.compressed && decompress ? decompress(bytes.subarray(frame.start, frame.end)) : bytes;
    const range = frame.compressed ? { start: 0, end: content.length - slack } : frame;
    return deliver(content, range, layout, handle, counts) ? undefined : stopped(counts);
  } catch (error) {
    return resultOfError(error, window, at, counts, frame.compressed);
  }
}

function walkRaw(window: Window, layout: Layout, handle: MessageHandler, counts: Counts): WalkResult {
  if (window.end - window.start > maxMessageSize) {
    const what = `a message without framing must not exceed ${maxMessageSize} bytes`;
    return { kind: "bad-length", message: 1, at: window.base, what };
  }
  // The whole input is one message, so there is nothing after one that was skipped.
  if (!window.ended || counts.messages > 0) return "more";
  const range = { start: window.start, end: window.end };
  window.start = window.end;
  counts.messages += 1;
  try {
    return deliver(window.block.bytes, range, layout, handle, counts) ? "more" : stopped(counts);
  } catch (error) {
    return resultOfError(error, window, range.start, counts);
  }
}

function deliver(
  bytes: Uint8Array,
  range: { readonly start: number; readonly end: number },
  layout: Layout,
  handle: MessageHandler,
  counts: Counts,
): boolean {
  const inner = layout.wrapped ? unwrap(bytes, range.start, range.end) : { ...range, from: bytes };
  // A request without a reading is valid.
  if (inner === undefined) return true;
  const { from } = inner;
  const wantsMore = handle(from, new DataView(from.buffer, from.byteOffset, from.byteLength), inner.start, inner.end);
  if (wantsMore) counts.readings += 1;
  return wantsMore;
}

function stopped(counts: Counts): WalkResult {
  counts.readings += 1;
  return "stopped";
}

/** The result for an error that the handler threw for the message at `start`. */
function resultOfError(error: unknown, window: Window, start: number, counts: Counts, compressed = false): WalkResult {
  if (!(error instanceof WireFault)) throw error;
  const inside = compressed && error.at > 0 ? ` (byte ${error.at} of the decompressed message)` : "";
  const at = window.base + (compressed ? start : error.at);
  return { kind: "bad-message", message: counts.messages, at, what: error.message + inside };
}
