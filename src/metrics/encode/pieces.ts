/** A position in a text input; both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** An error in text to be encoded; `at` is its index in the text that was parsed. */
export class TextFault extends Error {
  override readonly name = "TextFault";
  constructor(
    readonly at: number,
    message: string,
    /** Whether it is not JSON at all. */
    readonly isSyntax = false,
  ) {
    super(message);
  }
}

/** An error in text input, with its position. */
export class TextError extends Error {
  override readonly name = "TextError";
  constructor(
    readonly position: Position,
    message: string,
    readonly isSyntax = false,
  ) {
    super(message);
  }
}

/** The position of index `at` of a text that begins at `start`. Columns count code points. */
function positionIn(text: string, at: number, start: Position): Position {
  const lines = text.slice(0, at).split("\n");
  const last = lines[lines.length - 1] ?? "";
  const column = [...last].length + (lines.length === 1 ? start.column : 1);
  return { line: start.line + lines.length - 1, column };
}

/** What reads the text of a reading: a JSON object, or another line. It can throw a `TextFault`. */
export interface PieceReader {
  readonly object: (text: string) => void;
  readonly line: (text: string) => void;
}

// Far more than the JSON of the largest allowed message.
const maxPieceSize = 128 * 1024 * 1024;

/**
 * Splits text into readings as it arrives: JSON objects on one or several lines, separate or in an array; anything else is
 * a line. Call `feed` with each part of the text, then `end`. Both throw a `TextError`.
 */
export function createSplitter(reader: PieceReader) {
  let pending = "";
  let start: Position = { line: 1, column: 1 };
  let line = 1;
  let column = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  // Arrays that are not closed yet. A `]` alone is ignored, so that the end of a list can be encoded.
  let arrays = 0;
  let mode: "between" | "object" | "line" = "between";

  function begin(next: "object" | "line"): void {
    mode = next;
    start = { line, column };
  }

  function finish(kind: keyof PieceReader, text: string): void {
    mode = "between";
    pending = "";
    read(kind, text, start);
  }

  function feed(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] ?? "";
      if (mode === "between" && !/[\s,[\]]/.test(character)) {
        from = at;
        begin(character === "{" ? "object" : "line");
      }
      if (mode === "between" && character === "[") arrays += 1;
      else if (mode === "between" && character === "]") arrays = Math.max(0, arrays - 1);
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
      } else if (character < "\udc00" || character > "\udfff") column += 1;
    }
    if (mode !== "between") pending += text.slice(from);
    if (pending.length > maxPieceSize) throw new TextError(start, "the reading is too long or not terminated");
  }

  function end(): void {
    if (mode === "object") throw new TextError(start, "unterminated JSON object");
    if (mode === "line") finish("line", pending);
    if (arrays > 0) throw new TextError({ line, column }, "the JSON array is not terminated");
  }

  function read(kind: keyof PieceReader, text: string, from: Position): void {
    try {
      reader[kind](text);
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      throw new TextError(positionIn(text, error.at, from), error.message, error.isSyntax);
    }
  }

  return {
    feed,
    end,
    /** Reads a line that is an object, and is not fed unless this throws. */
    takeObject: (text: string) => {
      read("object", text, { line, column });
      line += 1;
    },
    here: (): Position => ({ line, column }),
    /** Whether the next text starts a line, outside of a reading. */
    isAtLine: () => mode === "between" && column === 1,
  };
}
