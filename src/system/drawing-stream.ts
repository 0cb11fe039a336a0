import { Writable } from "node:stream";
import { Styled } from "../text/styled.ts";
import type { OutputStream } from "./output-stream.ts";

/** An escape sequence that is not complete yet. */
const unfinished = /\u001b(?:\[[?\d;]*)?$/;

/**
 * The stream for a library that draws on a terminal by itself, such as prompts and live blocks: codes for style, cursor
 * and erasing pass, all else is shown as pictures. Untrusted text must be made safe before the library gets it.
 */
export function drawingStream(output: OutputStream): Writable {
  let held = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = held + String(chunk);
      held = unfinished.exec(text)?.[0] ?? "";
      output.write(Styled.composed("drawing", text.slice(0, text.length - held.length)));
      // Done at once: later writes to `output` must not overtake it.
      done();
    },
  });
  return Object.defineProperties(stream, {
    isTTY: { get: () => output.isTTY },
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
  });
}
