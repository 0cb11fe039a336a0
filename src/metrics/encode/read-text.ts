import { isAscii } from "node:buffer";
import type { Reading } from "../reading/codec.ts";
import type { Source } from "../stream/source.ts";
import { readingFromJson } from "./from-json.ts";
import { type PutvalRules, readingsFromPutval } from "./from-putval.ts";
import { createSplitter, TextError } from "./pieces.ts";

/** What takes in readings. */
export interface ReadingTaker {
  readonly onReading: (reading: Reading) => void;
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
  const { onReading, onIdle } = taker;
  const splitter = createSplitter({
    object: (text) => onReading(readingFromJson(text)),
    line: (text) => readingsFromPutval(text, rules).forEach(onReading),
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const bytes = Buffer.alloc(chunkSize);
  // Whether the next byte begins a character, and whether all of a part are ASCII: that is read in half the time.
  let [isBetween, isPlain] = [true, false];

  /** Most lines are objects, which are not looked at character by character. Returns false for any other. */
  function takeObject(line: string): boolean {
    const trimmed = line.trimEnd();
    const text = trimmed.endsWith(",") ? trimmed.slice(0, -1) : trimmed;
    if (!text.startsWith("{") || !text.endsWith("}")) return false;
    try {
      splitter.takeObject(text);
      return true;
    } catch (error) {
      if (error instanceof TextError && error.isSyntax) return false;
      throw error;
    }
  }

  function readLines(size: number): void {
    isPlain = isBetween && isAscii(bytes.subarray(0, size));
    isBetween = (bytes[size - 1] ?? 0) < 0x80;
    for (let at = 0; at < size; ) {
      const end = bytes.subarray(0, size).indexOf(lineFeed, at);
      const next = end < 0 ? size : end + 1;
      const line = isPlain
        ? bytes.toString("latin1", at, next)
        : decoder.decode(bytes.subarray(at, next), { stream: true });
      if (!(end > at && splitter.isAtLine() && takeObject(line))) splitter.feed(line);
      at = next;
    }
  }

  try {
    for (;;) {
      const size = await source.read(bytes, 0, bytes.length);
      if (size === 0) break;
      readLines(size);
      await onIdle();
    }
    splitter.feed(decoder.decode());
    splitter.end();
  } catch (error) {
    if (error instanceof TypeError) throw new TextError(splitter.here(), "the input after this is not valid UTF-8");
    throw error;
  }
}
