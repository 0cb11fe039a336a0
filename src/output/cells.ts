import { isUnset, present } from "../shape/shape.ts";
import { relative } from "../text/format.ts";
import { safeLine } from "../text/safe.ts";
import { Styled } from "../text/styled.ts";
import type { Palette, Style } from "./palette.ts";

/** One value of a table or a sheet. Bare values are plain; true and false are yes and no. */
export type Cell = string | number | bigint | boolean | null | undefined | StyledCell | TimeCell | NumberCell;

interface StyledCell {
  readonly text: string;
  readonly style: Style;
  /** Shown before the text on a terminal. */
  readonly glyph?: string;
  /** The number of characters that a terminal shows. */
  readonly short?: number;
}

interface TimeCell {
  /** RFC 3339 as the server sent it, or not set. */
  readonly time: string | null | undefined;
  /** The text on a terminal if the time is not set. */
  readonly never: string;
  /** Whether a terminal shows the day in place of the distance from now. */
  readonly day?: boolean;
  /** Whether the epoch and the year 1 are times, too. */
  readonly any?: boolean;
}

interface NumberCell {
  readonly number: number;
  readonly style: Style;
}

/** The number of a pull request or a run: `#12` on a terminal, `12` in a pipe, where the next command reads it. */
export function numbered(number: number, style: Style = "plain"): Cell {
  return { number, style };
}

/** A value with a style; servers may omit the value. */
export function styled(style: Style, text: string | null | undefined): Cell {
  return { text: text ?? "", style };
}

/** The names of records in one line. */
export function namesOf<T>(records: readonly (T | null)[] | null | undefined, name: (record: T) => string): string {
  return present(records).map(name).join(", ");
}

/** A name in a sentence or a list; an empty one, which other clients can store, would not be seen. */
export function shownName(name: string): string {
  return name === "" ? "'' (empty name)" : name;
}

/** A time: relative on a terminal, RFC 3339 in a pipe; if it is not set, empty, or `never` on a terminal. */
export function when(time: string | null | undefined, never = ""): Cell {
  return { time, never };
}

/** A due date: its day on a terminal, as the server has it, and RFC 3339 in a pipe. */
export function dueDay(time: string | null | undefined): Cell {
  return { time, never: "", day: true };
}

function isEmpty({ time, any = false }: TimeCell): boolean {
  return any ? (time ?? "") === "" : isUnset(time);
}

/** A state in its color, with its glyph on a terminal. */
export function state(word: string | null | undefined, style?: Style): Cell {
  return { text: word ?? "", style: style ?? stateStyles[word ?? ""] ?? "plain", glyph: glyphOf(word ?? "") };
}

/** The glyph of a state: passed, failed, open or in progress, neither. */
export function glyphOf(word: string): string {
  return stateGlyphs[word] ?? "";
}

const stateGlyphs: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "✓": ["success", "passed", "approved", "active", "online", "merged", "yes"],
    "✗": ["failure", "error", "failed", "timed_out", "changes requested", "no"],
    "●": ["open", "pending", "in_progress", "queued", "waiting", "running", "requested", "expected", "warning"],
    "−": ["closed", "draft", "skipped", "cancelled", "neutral", "inactive", "offline", "commented"],
  }).flatMap(([glyph, words]) => words.map((word) => [word, glyph])),
);

const stateStyles: Readonly<Record<string, Style>> = {
  open: "good",
  success: "good",
  active: "good",
  online: "good",
  approved: "good",
  closed: "bad",
  failure: "bad",
  error: "bad",
  offline: "plain",
  merged: "merged",
  draft: "plain",
  pending: "warn",
  warning: "warn",
};

/** The text of a cell in a pipe, in one line. */
export function plainCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell !== "object") return safeLine(String(cell));
  if ("time" in cell) return isEmpty(cell) ? "" : safeLine(cell.time ?? "");
  if ("number" in cell) return String(cell.number);
  return safeLine(cell.text);
}

/** The text of a cell on a terminal, in one line and without color. */
export function shownCell(cell: Cell, now: Date): string {
  if (typeof cell === "object" && cell !== null && "time" in cell) {
    if (isEmpty(cell)) return cell.never;
    return safeLine(cell.day === true ? (cell.time ?? "").slice(0, 10) : relative(cell.time ?? "", now));
  }
  if (typeof cell === "object" && cell !== null && "number" in cell) return `#${cell.number}`;
  const text = plainCell(cell);
  if (typeof cell !== "object" || cell === null || !("text" in cell)) return text;
  const shown = text.slice(0, cell.short);
  return cell.glyph && text !== "" ? `${cell.glyph} ${shown}` : shown;
}

/** Colors the terminal text of a cell. */
export function paint(cell: Cell, shown: string, palette: Palette): Styled {
  if (typeof cell !== "object" || cell === null) return Styled.plain(shown);
  return "time" in cell ? Styled.plain(shown) : palette(cell.style, shown);
}
