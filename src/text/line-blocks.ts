import { StringDecoder } from "node:string_decoder";

/** Some lines of a text, in order. */
export interface LineBlock {
  /** The lines without their ends; at least one. */
  readonly lines: readonly string[];
  /** Whether the last line is not complete: the next block begins with its rest, or the text ends without a line end. */
  readonly isOpen: boolean;
}

/** The longest line that is kept in memory as one, in characters. */
const longest = 16 * 1024 * 1024;

/** Cuts a text that arrives in pieces at its line ends, in linear time. */
export async function* lineBlocks(
  pieces: AsyncIterable<Buffer>,
  encoding: "utf8" | "latin1",
): AsyncGenerator<LineBlock, void, undefined> {
  const decoder = new StringDecoder(encoding);
  let rest = "";
  for await (const piece of pieces) {
    const [first = "", ...others] = decoder.write(piece).split("\n");
    rest += first;
    const last = others.pop();
    if (last !== undefined) {
      yield { lines: [rest, ...others], isOpen: false };
      rest = last;
    } else if (rest.length > longest) {
      yield { lines: [rest], isOpen: true };
      rest = "";
    }
  }
  rest += decoder.end();
  if (rest !== "") yield { lines: [rest], isOpen: true };
}
