import { valueAt } from "../shape/select.ts";
import { shellLines, sizeText, wrap } from "../text/format.ts";
import { jsonText } from "../text/json.ts";
import { compose, Styled } from "../text/styled.ts";
import { type Cell, dueDay, paint, plainCell, shownCell, state, styled, when } from "./cells.ts";
import { type Fitted, fitColumns, type Rank } from "./fit-columns.ts";
import type { Palette, Style } from "./palette.ts";

/** A column of a table. */
export interface Column<T> {
  readonly header: string;
  /** The field of the record that it shows, by its API name (`user.login`): its column in CSV. */
  readonly field: string | undefined;
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
  /** Where a terminal has no room for all of it, it is printed below the others: as text, with the header if there are several, or as a command that can be copied. */
  readonly below?: "text" | "command" | undefined;
}

/** The dotted paths of the fields of a record; of each, if there are several kinds of records. */
type FieldPath<T> = T extends object
  ? { [K in keyof T & string]-?: K | `${K}.${InnerPath<NonNullable<T[K]>>}` }[keyof T & string]
  : never;
type InnerPath<V> = V extends readonly unknown[] ? never : FieldPath<V>;

/** How a column shows its field. */
interface ColumnOptions<T> {
  /** The text of a record, if it is not the value of the field. */
  readonly cell?: (record: T) => Cell;
  /** What the field holds, if it is not shown as it is. */
  readonly as?: keyof typeof kinds;
  readonly style?: Style;
  readonly flexible?: boolean;
  readonly rank?: Rank | undefined;
  readonly whole?: boolean;
  readonly below?: "text" | "command";
}

/**
 * Declares a column by its header and the field that it shows, and how, if not as it is. A column that shows no single
 * field of the record has none.
 *
 *     column<Issue>("UPDATED", "updated_at", { as: "time" })
 *     column<Runner>("STATE", "status", runnerState)
 */
export function column<T>(
  header: string,
  field: FieldPath<T> | undefined,
  given: ColumnOptions<T> | ((record: T) => Cell) = {},
): Column<T> {
  const options = typeof given === "function" ? { cell: given } : given;
  const { as = "plain", style, flexible = false, rank, whole = false, below } = options;
  const path = field?.split(".") ?? [];
  const value = (record: T) => {
    const shown = kinds[as](valueAt(record, path));
    return style === undefined ? shown : styled(style, plainCell(shown));
  };
  return { header, field, cell: options.cell ?? value, flexible, rank, whole, below };
}

/** The column of a list of words. */
export function wordColumn(header: string): Column<string> {
  return { header, field: header.toLowerCase(), cell: (word) => word, flexible: false, rank: undefined };
}

/** What fields hold. */
const kinds = {
  plain: (value: unknown): Cell => (typeof value === "object" && value !== null ? jsonText(value) : asCell(value)),
  time: (value: unknown): Cell => when(asText(value)),
  "any time": (value: unknown): Cell => ({ time: asText(value), never: "", any: true }),
  "time or never": (value: unknown): Cell => when(asText(value), "never"),
  day: (value: unknown): Cell => dueDay(asText(value)),
  state: (value: unknown): Cell => state(asText(value)),
  "first line": (value: unknown): Cell => asText(value)?.split("\n", 1)[0],
  /** The SHA of a commit, which is whole in a pipe. */
  commit: (value: unknown): Cell => ({ text: asText(value) ?? "", style: "warn", short: 10 }),
  size: (value: unknown): Cell => (typeof value === "number" ? sizeText(value) : ""),
} as const;

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function asCell(value: unknown): Cell {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return value;
    default:
      return undefined;
  }
}

/** The fields of columns, for CSV. */
export function columnFields(columns: readonly Column<never>[]): string[] {
  return [...new Set(columns.flatMap(({ field }) => field ?? []))];
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
  return (await tableDrawer())(records, columns, look);
}

/** What lays out the lines of a table as `shownRows` does, for a screen that is redrawn. */
export async function tableDrawer() {
  const [{ default: Table }, { default: stringWidth }] = await Promise.all([
    import("cli-table3"),
    import("string-width"),
  ]);
  return <T>(records: readonly T[], columns: readonly Column<T>[], look: Look): Styled[] =>
    layOut(records, columns, look, { Table, stringWidth });
}

/** The characters of the library's borders, all of them empty. */
const noBorders = Object.fromEntries(
  ["top", "bottom", "mid"]
    .flatMap((row) => [row, `${row}-mid`, `${row}-left`, `${row}-right`])
    .concat("left", "left-mid", "right", "right-mid", "middle")
    .map((name) => [name, ""]),
);

/** The libraries that lay out a table, which take long to load. */
interface Libraries {
  readonly Table: typeof import("cli-table3");
  readonly stringWidth: typeof import("string-width").default;
}

function layOut<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  look: Look,
  { Table, stringWidth }: Libraries,
): Styled[] {
  const cells = records.map((record) => columns.map((column) => column.cell(record)));
  const shown = cells.map((row) => row.map((cell) => shownCell(cell, look.now)));
  const key = keyOf(columns);
  const all = columns.map((column, index) => ({
    natural: shown.reduce((widest, row) => Math.max(widest, stringWidth(row[index] ?? "")), stringWidth(column.header)),
    header: stringWidth(column.header),
    flexible: column.flexible,
    whole: column.whole === true,
    rank: index === key || column.whole === true ? ("key" as const) : (column.rank ?? "normal"),
  }));
  const whole = fitColumns(all, look.width);
  const isCut = (index: number) => (whole.find((fit) => fit.index === index)?.width ?? 0) < (all[index]?.natural ?? 0);
  const below = columns.flatMap((column, index) => (column.below !== undefined && isCut(index) ? [index] : []));
  const beside = columns.flatMap((_, index) => (below.includes(index) ? [] : [index]));
  const fitted =
    below.length === 0
      ? whole
      : fitColumns(
          beside.flatMap((index) => all[index] ?? []),
          look.width,
        ).map(({ index, width }) => ({ index: beside[index] ?? 0, width }));
  const settings = {
    colWidths: fitted.map(({ width }, place) => width + (place === fitted.length - 1 ? 0 : 2)),
    chars: noBorders,
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
  const printed = [heads, ...rows];
  const lines: Styled[] = [];
  for (let from = 0; from < printed.length; from += rowsAtOnce) {
    const table = new Table(settings);
    for (const row of printed.slice(from, from + rowsAtOnce)) table.push(row);
    for (const line of table.toString().split("\n")) lines.push(Styled.composed("linked", line.trimEnd()));
  }
  if (below.length === 0) return lines;
  // Of several texts, each is named.
  const isNamed = columns.filter(({ below: how }) => how === "text").length > 1;
  return lines.flatMap((line, number) => {
    const texts = below.flatMap((index) => {
      const text = number === 0 ? "" : (shown[number - 1]?.[index] ?? "");
      if (text === "") return [];
      if (columns[index]?.below === "command") return shellLines(text, look.width);
      const named = isNamed ? `${columns[index]?.header}: ${text}` : text;
      return wrap(named, Math.max(1, look.width - 2), stringWidth)
        .split("\n")
        .map((part) => `  ${part}`);
    });
    return [line, ...texts.map((text) => compose`${text}`)];
  });
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
