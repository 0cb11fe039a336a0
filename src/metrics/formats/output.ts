import type { Sink } from "../outputs.ts";
import { type Block, createBlock } from "../wire/block.ts";
import { utf8Bytes } from "../wire/text.ts";
import { copyText } from "./write.ts";

/** Output in memory that is sent in large pieces. A printer passes the position along as it writes, and stores it at the end. */
export interface Output {
  readonly view: DataView;
  /** The position of the next byte. */
  at: number;
  /** Up to this position there is room for a piece of `maxPiece` bytes. */
  readonly limit: number;
  /** Sends what is before `at`, and returns the new position. */
  readonly send: (at: number) => number;
  /** Copies text of any size to `at`, and returns its end. */
  readonly copy: (from: Block, start: number, end: number, at: number) => number;
  /** The same for bytes that are not text: those of a NaN do not outlive a copy as doubles in every engine. */
  readonly copyBytes: (from: Block, start: number, end: number, at: number) => number;
  /** Writes text at the position of the next byte. */
  readonly put: (text: string) => void;
}

/** The size of the largest piece that a printer writes without `copy`. */
export const maxPiece = 256;

const capacity = 256 * 1024;

/** Creates an empty output. */
export function createOutput(sink: Sink): Output {
  const { bytes, view } = createBlock(capacity);

  function send(at: number): number {
    if (at > 0) sink.write(bytes.subarray(0, at));
    return 0;
  }

  function copyLong(from: Uint8Array, at: number): number {
    send(at);
    if (from.length > capacity) {
      sink.write(from);
      return 0;
    }
    bytes.set(from);
    return from.length;
  }

  const copy: Output["copy"] = (from, start, end, at) => {
    if (end - start > capacity - at) return copyLong(from.bytes.subarray(start, end), at);
    return copyText(from.view, start, end - start, view, at);
  };

  const copyBytes: Output["copyBytes"] = (from, start, end, at) => {
    const copied = from.bytes.subarray(start, end);
    if (copied.length > capacity - at) return copyLong(copied, at);
    bytes.set(copied, at);
    return at + copied.length;
  };

  const output: Output = {
    view,
    at: 0,
    limit: capacity - maxPiece,
    send,
    copy,
    copyBytes,
    put: (text) => {
      const encoded = utf8Bytes(text);
      if (encoded.length > capacity - output.at) output.at = copyLong(encoded, output.at);
      else {
        bytes.set(encoded, output.at);
        output.at += encoded.length;
      }
    },
  };
  return output;
}
