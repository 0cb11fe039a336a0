import { safeLine } from "../../text/safe.ts";
import type { Curve, Point } from "../series/curve.ts";
import { placeOn, timeTitle } from "./axis.ts";
import { type Chart, chartOf, legendHeads, legendOf } from "./chart.ts";

const width = 800;
const frame = { left: 70, right: 20, top: 20 };
const inner = { width: width - frame.left - frame.right, height: 260 };
const bottom = frame.top + inner.height;
const legendTop = bottom + 64;
const rowHeight = 18;
const legendColumn = 80;
// Distinguishable with color blindness (Okabe and Ito); the second eight are dashed.
const colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d00", "#000000"];

/** Draws curves in a standalone SVG document, over each other or stacked, with a legend. */
export function svgPlot(curves: readonly Curve[], { utc, stack }: { readonly utc: boolean; readonly stack: boolean }) {
  const height = legendTop + rowHeight * curves.length + 12;
  const ticks = { values: 6, times: 7 };
  const chart = chartOf(curves, { stack, utc, ticks, positions: inner.width });
  const title = escaped(curves.map(({ name }) => name).join(", "));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="sans-serif" font-size="12" role="img" aria-label="${title}">\n<title>${title}</title>\n` +
    `<rect width="${width}" height="${height}" fill="#fff"/>\n` +
    `${chart === undefined ? `<text x="${frame.left}" y="${frame.top + 20}">no data</text>` : area(chart, utc, stack)}\n` +
    `${legend(curves)}</svg>\n`
  );
}

function area({ lines, values, times }: Chart, utc: boolean, stack: boolean): string {
  const x = (time: number) => round(frame.left + placeOn(time, times) * inner.width);
  const y = (value: number) => round(frame.top + (1 - placeOn(value, values)) * inner.height);
  const grid = values.marks.map(
    ({ at, label }) =>
      `<path d="M${frame.left} ${y(at)}h${inner.width}" stroke="#ddd"/>` +
      `<text x="${frame.left - 8}" y="${y(at) + 4}" text-anchor="end">${label}</text>`,
  );
  const ticks = times.marks.map(
    ({ at, label }) =>
      `<path d="M${x(at)} ${bottom}v5" stroke="#666"/><text x="${x(at)}" y="${bottom + 18}" text-anchor="middle">${label}</text>`,
  );
  const days = `<text x="${frame.left + inner.width / 2}" y="${bottom + 36}" text-anchor="middle" fill="#555">${timeTitle(times, utc)}</text>`;
  // The upper ones first, so that each covers the part of those above it.
  const fills = stack
    ? lines
        .map(
          ({ points }, pen) => `<path d="${fill(points, x, y)}" fill="${colors[pen % colors.length]}" stroke="#fff"/>`,
        )
        .reverse()
    : [];
  const strokes = stack
    ? []
    : lines.map(
        ({ points }, pen) =>
          `<path d="${path(points, x, y)}" fill="none" ${stroke(pen)} stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>`,
      );
  return [...grid, ...ticks, days, ...fills, ...strokes].join("\n");
}

function stroke(pen: number): string {
  return `stroke="${colors[pen % colors.length]}"${pen < colors.length ? "" : ' stroke-dasharray="5 3"'}`;
}

function legend(curves: readonly Curve[]): string {
  const columns = legendHeads.map((_, index) => frame.left + legendColumn * (index + 1) - 30);
  const row = (texts: readonly string[], y: number) =>
    texts
      .map((text, index) => `<text x="${columns[index]}" y="${y}" text-anchor="end">${escaped(text)}</text>`)
      .join("");
  const rows = curves.map((curve, pen) => {
    const y = legendTop + rowHeight * (pen + 1);
    const mark = `<path d="M${frame.left - 44} ${y - 4}h24" ${stroke(pen)} stroke-width="3"/>`;
    return `${mark}${row(legendOf(curve), y)}<text x="${frame.left + legendColumn * legendHeads.length}" y="${y}" font-weight="bold">${escaped(curve.name)}</text>\n`;
  });
  return `<g fill="#555">${row(legendHeads, legendTop)}</g>\n${rows.join("")}`;
}

type Scale = (value: number) => number;

/** The runs of a line between its breaks. */
function runs(points: readonly Point[]): Point[][] {
  const all: Point[][] = [[]];
  for (const point of points) {
    if (Number.isNaN(point.value)) all.push([]);
    else all.at(-1)?.push(point);
  }
  return all.filter((run) => run.length > 0);
}

/** The path of a line. A single point becomes a dot, because lines have round ends. */
function path(points: readonly Point[], x: Scale, y: Scale): string {
  const at = ({ time, value }: Point) => `${x(time)} ${y(value)}`;
  return runs(points)
    .map((run) => `M${run.map(at).join("L")}${run.length === 1 ? `L${run.map(at).join("")}` : ""}`)
    .join("");
}

/** The area below a line. */
function fill(points: readonly Point[], x: Scale, y: Scale): string {
  return runs(points)
    .map(
      (run) =>
        `M${x(run[0]?.time ?? 0)} ${y(0)}${run.map(({ time, value }) => `L${x(time)} ${y(value)}`).join("")}L${x(run.at(-1)?.time ?? 0)} ${y(0)}Z`,
    )
    .join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(text: string): string {
  return safeLine(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
