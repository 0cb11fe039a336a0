/** A place in a text input, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with text to be encoded: `at` is the index in the piece of text that was parsed. */
export class TextFault extends Error {
  override readonly name = "TextFault";
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** The place of index `at` of a piece of text that begins at `start`. Columns count characters, not code units. */
export function placeIn(text: string, at: number, start: Place): Place {
  const lines = text.slice(0, at).split("\n");
  const last = lines[lines.length - 1] ?? "";
  const column = [...last].length + (lines.length === 1 ? start.column : 1);
  return { line: start.line + lines.length - 1, column };
}
