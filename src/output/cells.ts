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
  /** RFC 3339 as the server sent it, or not set. */
  readonly time: string | null | undefined;
  /** The text on a terminal if the time is not set. */
  readonly never: string;
}

/** A value with a style; servers may omit the value. */
export function styled(style: Style, text: string | null | undefined): Cell {
  return { text: text ?? "", style };
}

/** A time: relative on a terminal, RFC 3339 in a pipe; if it is not set, empty, or `never` on a terminal. */
export function when(time: string | null | undefined, never = ""): Cell {
  return { time, never };
}

/** Whether a time is not set: absent, the zero time or the epoch (docs/server-differences.md, "Times"). */
export function isUnset(time: string | null | undefined): boolean {
  if (time === null || time === undefined || time === "" || time.startsWith("0001-")) return true;
  return Date.parse(time) === 0;
}

/** A state in its color. */
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

/** The text of a cell in a pipe, in one line. */
export function plainCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "object") return safeLine(String(cell));
  if ("time" in cell) return isUnset(cell.time) ? "" : safeLine(cell.time ?? "");
  return safeLine(cell.text);
}

/** The text of a cell on a terminal, in one line and without color. */
export function shownCell(cell: Cell, now: Date): string {
  if (typeof cell === "object" && cell !== null && "time" in cell) {
    return isUnset(cell.time) ? cell.never : relative(cell.time ?? "", now);
  }
  return plainCell(cell);
}

/** Colors the terminal text of a cell. */
export function paint(cell: Cell, shown: string, palette: Palette): string {
  if (typeof cell !== "object" || cell === null) return shown;
  return "time" in cell ? palette("dim", shown) : palette(cell.style, shown);
}
