import { type Cell, paint, plainCell, shownCell } from "./cells.ts";
import type { Palette } from "./palette.ts";

/** A column of a table. */
export interface Column<T> {
  readonly header: string;
  readonly cell: (record: T) => Cell;
  /** Truncated first if the terminal is too narrow. */
  readonly flexible?: boolean;
}

/** Declares a column. */
export function column<T>(header: string, cell: (record: T) => Cell, flexible = false): Column<T> {
  return { header, cell, flexible };
}

/** A table row for a pipe: tab-separated, not truncated. */
export function plainRow<T>(record: T, columns: readonly Column<T>[]): string {
  return `${columns.map((column) => plainCell(column.cell(record))).join("\t")}\n`;
}

/** The table for a terminal, with a header, fitted to `width` columns. */
export async function shownTable<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  look: { readonly width: number; readonly palette: Palette; readonly now: Date },
): Promise<string> {
  const [{ default: Table }, { default: stringWidth }] = await Promise.all([
    import("cli-table3"),
    import("string-width"),
  ]);
  const cells = records.map((record) => columns.map((column) => column.cell(record)));
  const shown = cells.map((row) => row.map((cell) => shownCell(cell, look.now)));
  const widths = columns.map((column, index) =>
    Math.max(stringWidth(column.header), ...shown.map((row) => stringWidth(row[index] ?? ""))),
  );
  shrink(widths, columns, look.width - 2 * (columns.length - 1));
  const nothing = { top: "", "top-mid": "", "top-left": "", "top-right": "" };
  const table = new Table({
    colWidths: widths.map((width, index) => width + (index === columns.length - 1 ? 0 : 2)),
    chars: {
      ...nothing,
      ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
      ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "" },
    },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  });
  const cut = (text: string, width: number) => truncate(text, width, stringWidth);
  table.push(columns.map((column, index) => look.palette("dim", cut(column.header, widths[index] ?? 0))));
  cells.forEach((row, line) => {
    table.push(
      row.map((cell, index) => paint(cell, cut(shown[line]?.[index] ?? "", widths[index] ?? 0), look.palette)),
    );
  });
  const text = table.toString();
  return `${text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")}\n`;
}

/** Narrows the flexible columns, widest first, then all columns, until the table fits. */
function shrink(widths: number[], columns: readonly Column<never>[], room: number): void {
  const least = 8;
  for (const pass of ["flexible", "any"] as const) {
    for (;;) {
      const excess = widths.reduce((sum, width) => sum + width, 0) - room;
      if (excess <= 0) return;
      let widest = -1;
      widths.forEach((width, index) => {
        const allowed = pass === "any" || columns[index]?.flexible === true;
        if (allowed && width > least && (widest < 0 || width > (widths[widest] ?? 0))) widest = index;
      });
      if (widest < 0) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
}

function truncate(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (measure(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
