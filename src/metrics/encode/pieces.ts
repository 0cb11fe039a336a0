/** A position in a text input, from 1. */
export interface Position {
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

/** The position of index `at` of a piece of text that begins at `start`. Columns count characters, not code units. */
export function positionIn(text: string, at: number, start: Position): Position {
  const lines = text.slice(0, at).split("\n");
  const last = lines[lines.length - 1] ?? "";
  const column = [...last].length + (lines.length === 1 ? start.column : 1);
  return { line: start.line + lines.length - 1, column };
}

/** One reading's text: a JSON object, or a line of another kind. */
export interface Piece {
  readonly kind: "object" | "line";
  readonly text: string;
  readonly start: Position;
}

// Far beyond the JSON of the longest message that is taken.
const maxPieceSize = 128 * 1024 * 1024;

/**
 * Cuts text into readings as it arrives: JSON objects, one a line or spread over several, bare or as the items of one
 * array; anything else is a line. Feed it pieces of text, then `end`. A `TextFault` counts from the position it names.
 */
export function createSplitter(onPiece: (piece: Piece) => void) {
  let pending = "";
  let start: Position = { line: 1, column: 1 };
  let line = 1;
  let column = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let mode: "between" | "object" | "line" = "between";

  function begin(next: "object" | "line"): void {
    mode = next;
    start = { line, column };
  }

  function finish(kind: Piece["kind"], text: string): void {
    mode = "between";
    pending = "";
    onPiece({ kind, text, start });
  }

  function feed(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] ?? "";
      if (mode === "between" && !/[\s,[\]]/.test(character)) {
        from = at;
        begin(character === "{" ? "object" : "line");
      }
      if (mode === "object") {
        if (inString) {
          if (escaped) escaped = false;
          else if (character === "\\") escaped = true;
          else if (character === '"') inString = false;
        } else if (character === '"') inString = true;
        else if (character === "{") depth += 1;
        else if (character === "}") {
          depth -= 1;
          if (depth === 0) finish("object", pending + text.slice(from, at + 1));
        }
      } else if (mode === "line" && character === "\n") finish("line", pending + text.slice(from, at));
      if (character === "\n") {
        line += 1;
        column = 1;
      } else if (!/[\udc00-\udfff]/.test(character)) column += 1;
    }
    if (mode !== "between") pending += text.slice(from);
    if (pending.length > maxPieceSize) throw new TextFault(0, "the reading is too long or not terminated");
  }

  function end(): void {
    if (mode === "object") throw new TextFault(0, "unterminated JSON object");
    if (mode === "line") finish("line", pending);
  }

  return { feed, end, start: () => start, here: (): Position => ({ line, column }) };
}
