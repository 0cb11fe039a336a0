import { relative } from "../text/format.ts";
import { safeLine } from "../text/safe.ts";
import type { Palette, Style } from "./palette.ts";

/** One value of a table or a sheet. Bare values are plain. */
export type Cell = string | number | bigint | boolean | null | undefined | StyledCell | TimeCell;

interface StyledCell {
  readonly text: string;
  readonly style: Style;
}

interface TimeCell {
  /** RFC 3339 as the server sent it, or unset. */
  readonly time: string | null | undefined;
  /** What a terminal shows where it is unset. */
  readonly never: string;
}

/** A value with a meaning that a terminal may colour; a server may have left it out. */
export function styled(style: Style, text: string | null | undefined): Cell {
  return { text: text ?? "", style };
}

/** A time: relative on a terminal, RFC 3339 in a pipe, nothing, or the word given, for the servers' two spellings of "never". */
export function when(time: string | null | undefined, never = ""): Cell {
  return { time, never };
}

/** Whether a time means "never": absent, the zero time, or the epoch (api-facts 3.1.8). */
export function isUnset(time: string | null | undefined): boolean {
  if (time === null || time === undefined || time === "" || time.startsWith("0001-")) return true;
  return Date.parse(time) === 0;
}

/** A state word in its colour. */
export function state(word: string | null | undefined): Cell {
  return { text: word ?? "", style: stateStyles[word ?? ""] ?? "plain" };
}

const stateStyles: Readonly<Record<string, Style>> = {
  open: "good",
  success: "good",
  active: "good",
  online: "good",
  approved: "good",
  closed: "bad",
  failure: "bad",
  error: "bad",
  offline: "dim",
  merged: "merged",
  draft: "dim",
  pending: "warn",
  warning: "warn",
};

/** The cell as one line for a pipe. */
export function plainCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "object") return safeLine(String(cell));
  if ("time" in cell) return isUnset(cell.time) ? "" : safeLine(cell.time ?? "");
  return safeLine(cell.text);
}

/** The cell as one line for a terminal, not yet coloured. */
export function shownCell(cell: Cell, now: Date): string {
  if (typeof cell === "object" && cell !== null && "time" in cell) {
    return isUnset(cell.time) ? cell.never : relative(cell.time ?? "", now);
  }
  return plainCell(cell);
}

/** Colours a shown cell. */
export function paint(cell: Cell, shown: string, palette: Palette): string {
  if (typeof cell !== "object" || cell === null) return shown;
  return "time" in cell ? palette("dim", shown) : palette(cell.style, shown);
}
