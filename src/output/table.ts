import { Styled } from "../text/styled.ts";
import { type Cell, paint, plainCell, shownCell } from "./cells.ts";
import { type Fitted, fitColumns, type Rank } from "./fit-columns.ts";
import type { Palette } from "./palette.ts";

/** A column of a table. */
export interface Column<T> {
  readonly header: string;
  readonly cell: (record: T) => Cell;
  /** Its text may be truncated before columns are omitted. */
  readonly flexible: boolean;
  /**
   * `key` identifies the record and is kept longest; `optional` columns are omitted before any text is truncated. Without a
   * rank, the column TITLE or NAME is the key, or else the first flexible one.
   */
  readonly rank: Rank | undefined;
  /** Never truncated. */
  readonly whole?: boolean;
}

/** Declares a column: whether it is flexible, and its rank. */
export function column<T>(
  header: string,
  cell: (record: T) => Cell,
  flexible = false,
  rank: Rank | undefined = undefined,
): Column<T> {
  return { header, cell, flexible, rank };
}

/** A table row for a pipe: tab-separated, not truncated. */
export function plainRow<T>(record: T, columns: readonly Column<T>[]): string {
  return `${columns.map((column) => plainCell(column.cell(record))).join("\t")}\n`;
}

/** How a table is shown. */
export interface Look {
  /** In columns. */
  readonly width: number;
  readonly palette: Palette;
  readonly now: Date;
  /** Whether numbers and titles are links to the page of the record. */
  readonly links?: boolean;
}

/** The table for a terminal, with a header, fitted to `width` columns. */
export async function shownTable<T>(records: readonly T[], columns: readonly Column<T>[], look: Look): Promise<Styled> {
  return Styled.join([...(await shownRows(records, columns, look)), ""], "\n");
}

/** How many rows are laid out at a time: the library takes the square of their number. */
const rowsAtOnce = 500;

/** The lines of the table for a terminal. */
export async function shownRows<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  look: Look,
): Promise<Styled[]> {
  const [{ default: Table }, { default: stringWidth }] = await Promise.all([
    import("cli-table3"),
    import("string-width"),
  ]);
  const cells = records.map((record) => columns.map((column) => column.cell(record)));
  const shown = cells.map((row) => row.map((cell) => shownCell(cell, look.now)));
  const key = keyOf(columns);
  const fitted = fitColumns(
    columns.map((column, index) => ({
      natural: shown.reduce(
        (widest, row) => Math.max(widest, stringWidth(row[index] ?? "")),
        stringWidth(column.header),
      ),
      header: stringWidth(column.header),
      flexible: column.flexible,
      whole: column.whole === true,
      rank: index === key || column.whole === true ? "key" : (column.rank ?? "normal"),
    })),
    look.width,
  );
  const settings = {
    colWidths: fitted.map(({ width }, place) => width + (place === fitted.length - 1 ? 0 : 2)),
    chars: {
      ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
      ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
      ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "" },
    },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  };
  const cut = (text: string, { width }: Fitted) => truncate(text, width, stringWidth);
  const heads = fitted.map((fit) => look.palette("strong", cut(columns[fit.index]?.header ?? "", fit)).shown);
  const rows = cells.map((row, line) => {
    const page = look.links === true ? webPage(records[line]) : undefined;
    return fitted.map((fit) => {
      const cell = row[fit.index];
      const content = paint(cell, cut(shown[line]?.[fit.index] ?? "", fit), look.palette).shown;
      const isLink = fit.index === key || (typeof cell === "object" && cell !== null && "number" in cell);
      return page !== undefined && isLink && content !== "" ? { content, href: page } : content;
    });
  });
  const all = [heads, ...rows];
  const lines: Styled[] = [];
  for (let from = 0; from < all.length; from += rowsAtOnce) {
    const table = new Table(settings);
    for (const row of all.slice(from, from + rowsAtOnce)) table.push(row);
    for (const line of table.toString().split("\n")) lines.push(Styled.composed("linked", line.trimEnd()));
  }
  return lines;
}

/** The index of the column that identifies a record. */
function keyOf(columns: readonly Column<never>[]): number {
  const declared = columns.findIndex(({ rank, whole }) => rank === "key" || whole === true);
  if (declared >= 0) return declared;
  const named = columns.findIndex(({ header }) => header === "TITLE" || header === "NAME");
  if (named >= 0) return named;
  const flexible = columns.findIndex((one) => one.flexible && one.rank === undefined);
  return Math.max(0, flexible);
}

/** The web page of a record, which servers name `html_url`. */
function webPage(record: unknown): string | undefined {
  if (typeof record !== "object" || record === null || !("html_url" in record)) return undefined;
  const { html_url: address } = record;
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  // A parsed address consists of printable ASCII characters.
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
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
