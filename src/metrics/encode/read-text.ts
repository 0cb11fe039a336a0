import type { Reading } from "../reading/codec.ts";
import type { Source } from "../stream/source.ts";
import { createBlock } from "../wire/block.ts";
import { readingFromJson } from "./from-json.ts";
import { type PutvalRules, readingsFromPutval } from "./from-putval.ts";
import { createSplitter, type Position, positionIn, TextFault } from "./pieces.ts";

/** An error in text input, with its position. */
export class TextError extends Error {
  override readonly name = "TextError";
  constructor(
    readonly position: Position,
    message: string,
  ) {
    super(message);
  }
}

/** What takes in readings. */
export interface ReadingTaker {
  readonly onReading: (reading: Reading) => void;
  /**
   * Called for each line that may be the JSON of a reading; a line feed is at `end`, and the view extends `slack` bytes
   * past it. Returns false for a line that it does not know, which is then read.
   */
  readonly onLine?: (bytes: Uint8Array, view: DataView, start: number, end: number) => boolean;
  /** Called after each part of the input. */
  readonly onIdle: () => Promise<void> | undefined;
}

const chunkSize = 256 * 1024;
const lineFeed = 0x0a;

/**
 * Reads readings from JSON or PUTVAL lines. Throws a `TextError` at the first error, after passing on the readings before
 * it.
 */
export async function readText(source: Source, rules: PutvalRules, taker: ReadingTaker): Promise<void> {
  const { onReading, onLine, onIdle } = taker;
  const splitter = createSplitter(({ kind, text, start }) => {
    try {
      const readings = kind === "object" ? [readingFromJson(text)] : readingsFromPutval(text, rules);
      for (const reading of readings) onReading(reading);
    } catch (error) {
      if (error instanceof TextFault) throw new TextError(positionIn(text, error.at, start), error.message);
      throw error;
    }
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const { bytes, view, capacity } = createBlock(chunkSize);
  const feed = (from: number, to: number) => splitter.feed(decoder.decode(bytes.subarray(from, to), { stream: true }));

  function readLines(size: number): void {
    for (let at = 0; at < size; ) {
      const end = bytes.subarray(0, size).indexOf(lineFeed, at);
      const next = end < 0 ? size : end + 1;
      if (end > at && splitter.isAtLine() && onLine?.(bytes, view, at, end) === true) splitter.skipLine();
      else feed(at, next);
      at = next;
    }
  }

  try {
    for (;;) {
      const size = await source.read(bytes, 0, capacity);
      if (size === 0) break;
      if (onLine === undefined) feed(0, size);
      else readLines(size);
      await onIdle();
    }
    splitter.feed(decoder.decode());
    splitter.end();
  } catch (error) {
    if (error instanceof TextFault) throw new TextError(splitter.start(), error.message);
    if (error instanceof TypeError) throw new TextError(splitter.here(), "the input after this is not valid UTF-8");
    throw error;
  }
}
