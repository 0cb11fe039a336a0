import { type Frame, type Layout, maxMessageSize, readDelimited, readGrpc } from "../framing/framing.ts";
import { contentEnd, contentStart, slack } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import { unwrap } from "../wire/unwrap.ts";
import type { Window } from "./source.ts";

/** What can be wrong with a stream of messages. Only behind a `bad-message` can reading go on. */
export type FaultKind = "truncated" | "bad-length" | "bad-frame" | "bad-message";

/** One finding about a stream, in a form to count and to say. */
export interface StreamFault {
  readonly kind: FaultKind;
  /** Which message, from 1. */
  readonly message: number;
  /** The byte of the input that is wrong, from 0; of a compressed message, where its frame begins. */
  readonly at: number;
  /** What is wrong, as the end of a sentence. */
  readonly what: string;
}

/** `message 3, byte 151: the message ends inside a number`. */
export function faultText({ message, at, what }: StreamFault): string {
  return `message ${message}, byte ${at}: ${what}`;
}

/** Receives one encoded reading; the bytes reach 16 beyond `end`. False ends the work. Throws a `WireFault` for a bad one. */
export type MessageHandler = (bytes: Uint8Array, view: DataView, start: number, end: number) => boolean;

/** The taker has to load something before it can handle this message. */
export class DecoderNotLoaded extends Error {
  override readonly name = "DecoderNotLoaded";
}

/** What messages are taken with. */
export interface Handlers {
  readonly handle: MessageHandler;
  /** Undoes gzip, and leaves room behind; loaded when the first compressed message comes. Throws a `WireFault`. */
  readonly decompress: ((compressed: Uint8Array) => Uint8Array) | undefined;
}

/**
 * What walking a window came to: more bytes are needed, the taker has stopped, it or `decompress` has to be loaded and the
 * same message comes again then, or something is wrong.
 */
export type WalkResult = "more" | "stopped" | "not-loaded" | "compressed" | StreamFault;

/** Counts the messages of one input, and the readings in them that were taken. */
export interface Counts {
  messages: number;
  readings: number;
}

/** Hands over every whole message in the window, in order. Behind a bad message the window stands at the next. */
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
    let from = start;
    let to = -1;
    // The common cases, without an object for the frame: a length of one or two bytes, a plain gRPC frame.
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

/** The end of a plain gRPC frame that holds nothing but one reading; -1 for any other. */
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
  // The one message is the whole input; behind it, when it was skipped, there is no other.
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
  // A request without a reading is legal and says nothing.
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

/** What an error of the taker means for the walk, for the message that began at `start`. */
function resultOfError(error: unknown, window: Window, start: number, counts: Counts, compressed = false): WalkResult {
  if (error instanceof DecoderNotLoaded) {
    window.start = start;
    counts.messages -= 1;
    return "not-loaded";
  }
  if (!(error instanceof WireFault)) throw error;
  const inside = compressed && error.at > 0 ? ` (byte ${error.at} of the decompressed message)` : "";
  const at = window.base + (compressed ? start : error.at);
  return { kind: "bad-message", message: counts.messages, at, what: error.message + inside };
}
