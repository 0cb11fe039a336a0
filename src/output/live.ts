import { createLogUpdate } from "log-update";
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";
import { startDrawing } from "../system/drawing.ts";
import { drawingStream } from "../system/drawing-stream.ts";
import type { OutputStream } from "../system/output-stream.ts";
import { compose, type Styled, shownText } from "../text/styled.ts";
import type { Output } from "./output.ts";

/**
 * A block of lines on a terminal that is redrawn in place, by log-update: only the lines that changed are written, and a
 * resized terminal is redrawn as a whole. The cursor is never hidden, so an interrupted command leaves it visible.
 */
export interface Live {
  /** The maximum width of a line in columns; the last column of the terminal is not used. */
  readonly columns: number;
  /** The maximum number of lines, footer included. */
  readonly rows: number;
  /**
   * Replaces the block. Lines are text without line breaks; each is truncated to the width of the terminal. If not all
   * lines fit, `… N more` replaces the last ones; the footer is always shown.
   */
  draw(lines: readonly (string | Styled)[], footer?: readonly (string | Styled)[]): void;
  /** Prints a permanent line above the block. */
  persist(line: string | Styled): void;
  /** Removes the block from the terminal. The next `draw` shows it again, below the output since then. */
  clear(): void;
  /** Leaves the block on the terminal; further output follows below it. */
  done(): void;
}

/**
 * Makes a block on a stream that is a terminal: `live(stderr, out)`. While it is shown, the notes, warnings and results
 * that `out` prints appear above it. Nothing is written before the first `draw`. Import this file by `import()` where a
 * command starts to redraw: log-update takes as long to load as Node takes to start.
 */
export function live(stream: OutputStream, out: Pick<Output, "printAbove">): Live {
  const update = createLogUpdate(drawingStream(stream), { showCursor: true });
  let drawn: readonly string[] | undefined;
  let endDrawing = () => {};

  const above = (write: () => void): void => {
    update.clear();
    write();
    if (drawn !== undefined) update(drawn.join("\n"));
  };
  const leave = (): void => {
    drawn = undefined;
    endDrawing();
    out.printAbove(undefined);
  };
  const block: Live = {
    get columns() {
      return Math.max(1, (stream.columns || 80) - 1);
    },
    get rows() {
      // log-update leaves the cursor on an empty line below the block.
      return Math.max(1, (stream.rows || 24) - 1);
    },
    draw(lines, footer = []) {
      const room = Math.max(1, block.rows - footer.length);
      const fitting = lines.length > room ? [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`] : lines;
      if (drawn === undefined) endDrawing = startDrawing(stream);
      drawn = [...fitting, ...footer].map((line) => cut(shownText(line), block.columns));
      out.printAbove(above);
      update(drawn.join("\n"));
    },
    persist: (line) => above(() => stream.write(compose`${line}\n`)),
    clear() {
      if (drawn === undefined) return;
      update.clear();
      leave();
    },
    done() {
      update.done();
      leave();
    },
  };
  return block;
}

/** Truncates styled text to a width in columns, with an ellipsis. */
function cut(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let end = columns - 1;
  let kept = sliceAnsi(text, 0, end);
  // A wide character at the edge is included.
  while (stringWidth(kept) >= columns) kept = sliceAnsi(text, 0, --end);
  return `${kept}…`;
}
