import type { Reading } from "../reading/codec.ts";
import type { Source } from "../stream/source.ts";
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

const chunkSize = 64 * 1024;

/**
 * Reads readings from JSON or PUTVAL lines. Calls `onIdle` after each part of the input. Throws a `TextError` at the first
 * error, after passing the readings before it to `onReading`.
 */
export async function readText(
  source: Source,
  rules: PutvalRules,
  onReading: (reading: Reading) => void,
  onIdle: () => Promise<void> | undefined,
): Promise<void> {
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
  const chunk = Buffer.alloc(chunkSize);
  try {
    for (;;) {
      const size = await source.read(chunk, 0, chunkSize);
      if (size === 0) break;
      splitter.feed(decoder.decode(chunk.subarray(0, size), { stream: true }));
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
