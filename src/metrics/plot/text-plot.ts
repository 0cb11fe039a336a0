import type { Palette } from "../../output/palette.ts";
import { safeLine } from "../../text/safe.ts";
import { type Axis, timeAxis, timeTitle, valueAxis } from "./axis.ts";
import { createCanvas } from "./braille.ts";
import { type Curve, rangeOf } from "./curve.ts";

/** How plots look in a terminal. */
export interface TextLook {
  /** Columns of the whole picture. */
  readonly width: number;
  /** Lines of the drawing. */
  readonly height: number;
  readonly utc: boolean;
  readonly palette: Palette;
}

/** A curve drawn with braille dots: title, value axis on the left, time axis below. */
export function textPlot(curve: Curve, look: TextLook): string {
  const { palette } = look;
  const points = curve.points.toSorted((one, other) => one.time - other.time);
  const title = `${palette("strong", safeLine(curve.name))}${curve.isRate ? palette("dim", "  per second") : ""}\n`;
  const range = rangeOf(points);
  if (range === undefined) return `${title}${palette("dim", "  nothing to plot")}\n`;
  const values = valueAxis(range.low, range.high, Math.max(2, Math.floor(look.height / 3)));
  const margin = Math.max(...values.marks.map(({ label }) => label.length));
  const columns = Math.max(8, look.width - margin - 2);
  const times = timeAxis(range.from, range.to, Math.max(2, Math.floor(columns / 14)), look.utc);

  const canvas = createCanvas(columns, look.height);
  const x = (time: number) => place(time, times, columns * 2 - 1);
  const y = (value: number) => look.height * 4 - 1 - place(value, values, look.height * 4 - 1);
  points.forEach(({ time, value }, index) => {
    if (Number.isNaN(value)) return;
    const before = points[index - 1];
    const from = before === undefined || Number.isNaN(before.value) ? { time, value } : before;
    canvas.line(x(from.time), y(from.value), x(time), y(value));
  });

  const labels = new Map(values.marks.map(({ at, label }) => [Math.floor(y(at) / 4), label]));
  const lines = canvas.rows().map((row, index) => {
    const label = labels.get(index);
    const side = `${(label ?? "").padStart(margin)} ${label === undefined ? "│" : "┤"}`;
    return `${palette("dim", side)}${palette("link", row)}`.trimEnd();
  });
  const [ruler, below] = timeLines(times, columns);
  const indent = " ".repeat(margin + 1);
  const foot = [`${indent}└${ruler}`, `${indent} ${below}`, `${indent} ${timeTitle(times, look.utc)}`];
  return `${title}${[...lines, ...foot.map((line) => palette("dim", line.trimEnd()))].join("\n")}\n`;
}

function place(value: number, { from, to }: Axis, last: number): number {
  return Math.round(((value - from) / (to - from)) * last);
}

/** The line of the axis with its marks, and the labels below; labels that would run into each other are left out. */
function timeLines(axis: Axis, columns: number): readonly [string, string] {
  const ruler = Array.from({ length: columns }, () => "─");
  let labels = "";
  for (const { at, label } of axis.marks) {
    const column = place(at, axis, columns - 1);
    ruler[column] = "┬";
    const start = Math.min(Math.max(0, column - Math.floor(label.length / 2)), columns - label.length);
    if (start >= 0 && (labels === "" || start > labels.length)) labels = labels.padEnd(start) + label;
  }
  return [ruler.join(""), labels];
}
