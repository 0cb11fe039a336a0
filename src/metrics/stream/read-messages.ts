import { Failure } from "../../failure/failure.ts";
import { type Framing, type Layout, layoutOf, maxMessageSize } from "../framing/framing.ts";
import { guessLayout } from "../framing/guess.ts";
import { padded } from "../wire/block.ts";
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

/** Options for reading an input. */
export interface ReadOptions {
  readonly framing: Framing | "auto";
  readonly handle: MessageHandler;
  /** Called when no more input is available yet, to flush output. */
  readonly onIdle: () => Promise<void> | undefined;
  /** Called for a bad message; true continues with the next one. */
  readonly skip: (fault: StreamFault) => boolean;
  /** Called between the parts of a long input; throws to stop reading. */
  readonly checkAborted?: () => void;
}

/** Result of reading an input. */
export interface ReadResult extends Counts {
  /** The error that ended it. */
  readonly fault?: StreamFault;
  readonly layout: Layout;
  /** Whether the handler stopped it. */
  readonly stopped: boolean;
}

// More bytes than this do not help to detect the layout.
const guessBytes = 1024 * 1024;

/**
 * Reads the messages of an input until it ends, an error cannot be skipped, or the handler stops. In one thread: with
 * worker threads, each compiles the decoder and fills its cache again. Two of them need 1.7 times the processor time for
 * 92 MiB and 1.3 times for 550 MiB, so that two cores are at most 1.2 and 1.5 times faster.
 */
export async function readMessages(source: Source, options: ReadOptions): Promise<ReadResult> {
  const window = createWindow();
  const counts: Counts = { messages: 0, readings: 0 };
  let decompress: Handlers["decompress"];
  let layout = options.framing === "auto" ? undefined : layoutOf(options.framing);
  let damage: Failure | undefined;
  for (;;) {
    const later = fill(window, source);
    if (later !== undefined) {
      await options.onIdle();
      await later.catch((error: unknown) => {
        if (!(error instanceof Failure && error.code === "bad_data")) throw error;
        // What came before it is read like an input that ends there.
        damage = error;
        window.ended = true;
      });
    }
    // An input that fits into the window is read in one go.
    if (window.base > 0 && !window.ended) options.checkAborted?.();
    // An empty input has no readings, unless --framing raw says that it is an empty message.
    if (layout === undefined && window.ended && window.start === window.end) {
      if (damage !== undefined) throw damage;
      return { ...counts, layout: layoutOf("delimited"), stopped: false };
    }
    const complete = window.ended || window.end - window.start >= guessBytes;
    layout ??= guessLayout(window.block.bytes, window.start, window.end, complete);
    if (layout === undefined) continue;
    const walked = await walkAndSkip(layout);
    if (walked === "stopped") return { ...counts, layout, stopped: true };
    if (damage !== undefined) throw damage;
    if (walked !== "more") return { ...counts, layout, stopped: false, fault: walked };
    if (window.ended) break;
    // Let signals and slow readers be handled between windows.
    await options.onIdle();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  if (window.start === window.end) return { ...counts, layout, stopped: false };
  const left = window.end - window.start;
  const what = `the input ends in the middle of a message, after ${left} ${left === 1 ? "byte" : "bytes"}`;
  const fault = { kind: "truncated", message: counts.messages + 1, at: window.base + window.start, what } as const;
  return { ...counts, layout, stopped: false, fault };

  async function walkAndSkip(known: Layout): Promise<Exclude<WalkResult, "compressed">> {
    for (;;) {
      const walked = walkMessages(window, known, counts, { handle: options.handle, decompress });
      if (walked === "compressed") decompress = await loadDecompress();
      else if (typeof walked === "string" || walked.kind !== "bad-message" || !options.skip(walked)) return walked;
    }
  }
}

/** Loads zlib. The result decompresses a gRPC message, with `slack` bytes after it, and throws a `WireFault`. */
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
    return padded(plain).bytes;
  };
}
