import { createBlock } from "./block.ts";
import { copyText } from "./copy-text.ts";

/** An ASCII text that is written again and again. */
export interface Literal {
  readonly view: DataView;
  readonly length: number;
}

/** Makes the literal of a text. */
export function literal(text: string): Literal {
  const block = createBlock(text.length + 8);
  for (let index = 0; index < text.length; index += 1) block.bytes[index] = text.charCodeAt(index);
  return { view: block.view, length: text.length };
}

/** Writes a literal and returns the index behind it. */
export function writeLiteral(view: DataView, at: number, { view: from, length }: Literal): number {
  return copyText(from, 0, length, view, at);
}
