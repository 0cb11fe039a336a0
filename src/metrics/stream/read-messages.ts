import { type Framing, type Layout, layoutOf, maxMessageSize } from "../framing/framing.ts";
import { guessLayout } from "../framing/guess.ts";
import { slack } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import {
  type Counts,
  type Handlers,
  type MessageHandler,
  type StreamFault,
  type WalkResult,
  walkMessages,
} from "./messages.ts";
import { createWindow, fill, type Source } from "./source.ts";

/** How an input is read. */
export interface ReadOptions {
  readonly framing: Framing | "auto";
  readonly handle: MessageHandler;
  /** Called when `handle` has thrown `DecoderNotLoaded`. */
  readonly loadDecoder: () => Promise<void>;
  /** Called when no more input is at hand: what was made of the messages so far should be shown now. */
  readonly onIdle: () => Promise<void> | undefined;
  /** Told of a bad message in sound framing; true goes on behind it. */
  readonly skip: (fault: StreamFault) => boolean;
  /** Called before every piece of a longer input; throws when the reading is to end. */
  readonly checkAborted?: () => void;
}

/** How reading an input ended. */
export interface ReadResult extends Counts {
  /** What ended it before the input's clean end. */
  readonly fault?: StreamFault;
  readonly layout: Layout;
  /** Whether the taker wanted no more. */
  readonly stopped: boolean;
}

// Without a verdict by then, no more input will bring one.
const guessBytes = 1024 * 1024;

/** Reads the messages of one input to its end, its first fault that cannot be skipped, or until the taker has enough. */
export async function readMessages(source: Source, options: ReadOptions): Promise<ReadResult> {
  const window = createWindow();
  const counts: Counts = { messages: 0, readings: 0 };
  let decompress: Handlers["decompress"];
  let layout = options.framing === "auto" ? undefined : layoutOf(options.framing);
  for (;;) {
    const later = fill(window, source);
    if (later !== undefined) {
      await options.onIdle();
      await later;
    }
    // What fits into the window is read at once, and needs no way to be interrupted.
    if (window.base > 0 && !window.ended) options.checkAborted?.();
    // With no framing named, no bytes are no readings; as a raw message they would be an empty one.
    if (layout === undefined && window.ended && window.start === window.end) {
      return { ...counts, layout: layoutOf("delimited"), stopped: false };
    }
    const complete = window.ended || window.end - window.start >= guessBytes;
    layout ??= guessLayout(window.block.bytes, window.start, window.end, complete);
    if (layout === undefined) continue;
    const walked = await walkAndSkip(layout);
    if (walked === "stopped") return { ...counts, layout, stopped: true };
    if (walked !== "more") return { ...counts, layout, stopped: false, fault: walked };
    if (window.ended) break;
    // Signals and slow readers get their turn between two windows.
    await options.onIdle();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  if (window.start === window.end) return { ...counts, layout, stopped: false };
  const left = window.end - window.start;
  const what = `the input ends in the middle of a message, after ${left} ${left === 1 ? "byte" : "bytes"}`;
  const fault = { kind: "truncated", message: counts.messages + 1, at: window.base + window.start, what } as const;
  return { ...counts, layout, stopped: false, fault };

  async function walkAndSkip(known: Layout): Promise<Exclude<WalkResult, "not-loaded" | "compressed">> {
    for (;;) {
      const walked = walkMessages(window, known, counts, { handle: options.handle, decompress });
      if (walked === "not-loaded") await options.loadDecoder();
      else if (walked === "compressed") decompress = await loadDecompress();
      else if (typeof walked === "string" || walked.kind !== "bad-message" || !options.skip(walked)) return walked;
    }
  }
}

/** Loads what undoes the gzip of a gRPC message, with room behind it for the fast way. It throws a `WireFault`. */
async function loadDecompress(): Promise<(compressed: Uint8Array) => Uint8Array> {
  const { gunzipSync } = await import("node:zlib");
  return (compressed) => {
    let plain: Uint8Array;
    try {
      plain = gunzipSync(compressed, { maxOutputLength: maxMessageSize });
    } catch (error) {
      const reason = (error as Error).message;
      throw new WireFault(0, `cannot decompress the message as gzip (${reason})`);
    }
    const padded = new Uint8Array(plain.length + slack);
    padded.set(plain);
    return padded;
  };
}
