import { safeLine } from "../../text/safe.ts";
import { compose, Styled } from "../../text/styled.ts";
import type { Curve } from "../series/curve.ts";
import { type Axis, placeOn, timeTitle } from "./axis.ts";
import { createCanvas } from "./canvas.ts";
import { type Chart, chartOf, legendHeads, legendOf } from "./chart.ts";

/** Adds color to a text, or none. */
export type Paint = (style: "strong" | "plain" | "link" | "good" | "warn" | "bad" | "merged", text: string) => Styled;

/** Options of a text plot. */
export interface PlotOptions {
  /** Total width in columns. */
  readonly width: number;
  /** Height of the plot area in lines. */
  readonly height: number;
  readonly utc: boolean;
  readonly stack: boolean;
  readonly paint: Paint;
}

const styles = ["link", "good", "warn", "merged", "bad", "strong"] as const;
const letters = "abcdefghijklmnop";
// Further curves that end on the same line have an ellipsis.
const mostLetters = 8;

/**
 * Draws curves over each other with braille dots: value axis on the left, time axis and legend below. Several curves are
 * told apart by color and by a letter beside the line on which they end.
 */
export function textPlot(curves: readonly Curve[], options: PlotOptions): Styled {
  const { paint } = options;
  const legend = legendLines(curves, options);
  const several = curves.length > 1;
  const widest = { ...options, ticks: { values: Math.max(2, Math.floor(options.height / 3)), times: 8 }, positions: 2 };
  const first = chartOf(curves, { ...widest, stack: options.stack, positions: 200 });
  if (first === undefined) return compose`${paint("plain", "no data")}\n${legend}`;
  const margin = Math.max(...first.values.marks.map(({ label }) => label.length));
  const widestEnd = several ? Math.max(...[...endsOf(first, options.height).values()].map(({ length }) => length)) : 0;
  const room = Math.min(mostLetters, widestEnd);
  const columns = Math.max(8, options.width - margin - 2 - (several ? room + 1 : 0));
  const times = Math.max(2, Math.floor(columns / 14));
  const positions = columns * 2;
  const chart = chartOf(curves, { ...widest, stack: options.stack, positions, ticks: { ...widest.ticks, times } });
  if (chart === undefined) return legend;
  const area = areaLines(chart, { columns, margin, room }, options);
  const [ruler, below] = timeLines(chart.times, columns);
  const indent = " ".repeat(margin + 1);
  const foot = [`${indent}└${ruler}`, `${indent} ${below}`, `${indent} ${timeTitle(chart.times, options.utc)}`];
  const lines = [...area, ...foot.map((line) => paint("plain", line.trimEnd()))];
  return compose`${Styled.join(lines, "\n")}\n${legend}`;
}

interface Layout {
  readonly columns: number;
  readonly margin: number;
  /** The number of columns for letters. */
  readonly room: number;
}

/** The curves that end on each line, by the number of the line. */
function endsOf({ lines, values }: Chart, height: number): ReadonlyMap<number, readonly number[]> {
  const ends = new Map<number, number[]>();
  lines.forEach(({ points }, pen) => {
    const last = points.findLast(({ value }) => !Number.isNaN(value));
    if (last === undefined) return;
    const line = Math.floor(dotRow(last.value, values, height) / 4);
    ends.set(line, [...(ends.get(line) ?? []), pen]);
  });
  return ends;
}

function dotRow(value: number, axis: Axis, height: number): number {
  return height * 4 - 1 - place(value, axis, height * 4 - 1);
}

function areaLines(chart: Chart, { columns, margin, room }: Layout, { height, paint }: PlotOptions): Styled[] {
  const canvas = createCanvas(columns, height);
  const x = (time: number) => place(time, chart.times, columns * 2 - 1);
  const y = (value: number) => dotRow(value, chart.values, height);
  const ends = endsOf(chart, height);
  chart.lines.forEach(({ points }, pen) => {
    points.forEach(({ time, value }, index) => {
      if (Number.isNaN(value)) return;
      const before = points[index - 1];
      const from = before === undefined || Number.isNaN(before.value) ? { time, value } : before;
      canvas.line(x(from.time), y(from.value), x(time), y(value), pen);
    });
  });
  const labels = new Map(chart.values.marks.map(({ at, label }) => [Math.floor(y(at) / 4), label]));
  return canvas.rows().map((runs, index) => {
    const label = labels.get(index);
    const side = `${(label ?? "").padStart(margin)} ${label === undefined ? "│" : "┤"}`;
    const drawn = runs.map(({ pen, text }) => (text.trim() === "" ? text : paint(styleOf(pen), text)));
    const pens = ends.get(index);
    if (room === 0 || pens === undefined) return Styled.join([paint("plain", side), ...drawn]);
    const drawnWidth = runs.reduce((sum, { text }) => sum + text.length, 0);
    const gap = " ".repeat(columns - drawnWidth + 1);
    const shown = pens.length > room ? pens.slice(0, room - 1) : pens;
    const marks = shown.map((pen) => paint(styleOf(pen), letters[pen] ?? ""));
    const more = shown.length < pens.length ? [paint("plain", "…")] : [];
    return Styled.join([paint("plain", side), ...drawn, compose`${gap}`, ...marks, ...more]);
  });
}

function styleOf(pen: number) {
  return styles[pen % styles.length] ?? "link";
}

// Omitted first where the names have not enough room.
const omitted: readonly string[] = ["first", "min", "average", "max"] satisfies (typeof legendHeads)[number][];

/**
 * For each curve its letter, min, average, max, first and last in columns, and the name. Where that does not fit, columns are
 * omitted, and the name goes on in further lines after its slashes.
 */
function legendLines(curves: readonly Curve[], { width, paint }: PlotOptions): Styled {
  const rows = curves.map((curve) => legendOf(curve));
  const names = curves.map(({ name }) => safeLine(name));
  const indent = curves.length > 1 ? 3 : 0;
  let columns = legendHeads.map((head, index) => {
    const cells = rows.map((row) => row[index] ?? "");
    return { head, cells, width: Math.max(head.length, ...cells.map(({ length }) => length)) };
  });
  const roomForNames = () => columns.reduce((room, one) => room - one.width - 2, width - indent);
  const longest = Math.max(...names.map(({ length }) => length));
  for (const head of omitted) if (roomForNames() < longest) columns = columns.filter((one) => one.head !== head);
  const line = (cellOf: (column: (typeof columns)[number]) => string) =>
    columns.map((column) => cellOf(column).padStart(column.width)).join("  ");
  const further = `\n${" ".repeat(width - roomForNames())}`;
  const lines = names.map((name, pen) => {
    const letter = indent > 0 ? compose`${paint(styleOf(pen), letters[pen] ?? " ")}  ` : "";
    const parts = wrapName(name, roomForNames()).map((part) => paint("strong", part));
    return compose`${letter}${line(({ cells }) => cells[pen] ?? "")}  ${Styled.join(parts, further)}`;
  });
  const head = compose`${" ".repeat(indent)}${paint(
    "plain",
    line(({ head }) => head),
  )}`;
  return compose`${Styled.join([head, ...lines], "\n")}\n`;
}

/** Breaks a name after slashes, where a part would not fit any more. */
function wrapName(name: string, room: number): string[] {
  const lines: string[] = [];
  for (const part of name.split(/(?<=\/)/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + part.length > room) lines.push(part);
    else lines[lines.length - 1] = last + part;
  }
  return lines;
}

function place(value: number, axis: Axis, last: number): number {
  return Math.round(placeOn(value, axis) * last);
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
