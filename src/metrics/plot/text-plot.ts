import { safeLine } from "../../text/safe.ts";
import { type Axis, timeAxis, timeTitle, valueAxis } from "./axis.ts";
import { type Curve, rangeOf } from "./curve.ts";

/** A canvas of braille dots, two by four per character. */
export interface Canvas {
  /** Draws a line between two dots, clipped to the canvas. */
  readonly line: (fromX: number, fromY: number, toX: number, toY: number) => void;
  /** The lines of text. */
  readonly rows: () => string[];
}

// Unicode numbers the dots of a braille cell by column, except for the bottom row.
const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
];
const blank = 0x2800;

/** Creates an empty canvas; the size is in characters. */
export function createCanvas(columns: number, lines: number): Canvas {
  const cells = new Uint8Array(columns * lines);

  function dot(x: number, y: number): void {
    if (x < 0 || y < 0 || x >= columns * 2 || y >= lines * 4) return;
    const cell = (y >> 2) * columns + (x >> 1);
    cells[cell] = (cells[cell] ?? 0) | (bits[y & 3]?.[x & 1] ?? 0);
  }

  function line(fromX: number, fromY: number, toX: number, toY: number): void {
    const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1);
    for (let step = 0; step <= steps; step += 1) {
      dot(Math.round(fromX + ((toX - fromX) * step) / steps), Math.round(fromY + ((toY - fromY) * step) / steps));
    }
  }

  const row = (line: number) =>
    Array.from(cells.subarray(line * columns, (line + 1) * columns), (cell) =>
      cell === 0 ? " " : String.fromCharCode(blank + cell),
    ).join("");
  const rows = () => Array.from({ length: lines }, (_, line) => row(line));
  return { line, rows };
}

/** Adds color to a text, or returns it unchanged. */
export type Paint = (style: "strong" | "dim" | "link", text: string) => string;

/** Options of a text plot. */
export interface PlotOptions {
  /** Total width in columns. */
  readonly width: number;
  /** Height of the plot area in lines. */
  readonly height: number;
  readonly utc: boolean;
  readonly paint: Paint;
}

/** Draws a curve with braille dots: title, value axis on the left, time axis below. */
export function textPlot(curve: Curve, options: PlotOptions): string {
  const { paint } = options;
  const points = curve.points.toSorted((one, other) => one.time - other.time);
  const title = `${paint("strong", safeLine(curve.name))}${curve.isRate ? paint("dim", "  per second") : ""}\n`;
  const range = rangeOf(points);
  if (range === undefined) return `${title}${paint("dim", "  no data")}\n`;
  const values = valueAxis(range.low, range.high, Math.max(2, Math.floor(options.height / 3)));
  const margin = Math.max(...values.marks.map(({ label }) => label.length));
  const columns = Math.max(8, options.width - margin - 2);
  const times = timeAxis(range.from, range.to, Math.max(2, Math.floor(columns / 14)), options.utc);

  const canvas = createCanvas(columns, options.height);
  const x = (time: number) => place(time, times, columns * 2 - 1);
  const y = (value: number) => options.height * 4 - 1 - place(value, values, options.height * 4 - 1);
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
    return `${paint("dim", side)}${paint("link", row)}`.trimEnd();
  });
  const [ruler, below] = timeLines(times, columns);
  const indent = " ".repeat(margin + 1);
  const foot = [`${indent}└${ruler}`, `${indent} ${below}`, `${indent} ${timeTitle(times, options.utc)}`];
  return `${title}${[...lines, ...foot.map((line) => paint("dim", line.trimEnd()))].join("\n")}\n`;
}

function place(value: number, { from, to }: Axis, last: number): number {
  return Math.round(((value - from) / (to - from)) * last);
}

/** The axis with its ticks, and the line with the labels; omits labels that would overlap. */
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
