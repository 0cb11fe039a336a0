import { safeLine } from "../../text/safe.ts";
import { type Axis, timeAxis, timeTitle, valueAxis } from "./axis.ts";
import { type Curve, type Point, rangeOf } from "./curve.ts";

const width = 800;
const panel = 260;
const frame = { left: 70, right: 20, top: 34, bottom: 46 };
const inner = { width: width - frame.left - frame.right, height: panel - frame.top - frame.bottom };

/** Draws all curves in a standalone SVG document, one panel per curve. */
export function svgPlot(curves: readonly Curve[], utc: boolean): string {
  const height = Math.max(1, curves.length) * panel;
  const panels = curves.map(
    (curve, index) => `<g transform="translate(0 ${index * panel})">${onePanel(curve, utc)}</g>\n`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    'font-family="sans-serif" font-size="12">\n' +
    `<rect width="${width}" height="${height}" fill="#fff"/>\n${panels.join("")}</svg>\n`
  );
}

function onePanel(curve: Curve, utc: boolean): string {
  const title = `<text x="${frame.left}" y="20" font-weight="bold">${escaped(curve.name)}${curve.isRate ? " (per second)" : ""}</text>`;
  const points = curve.points.toSorted((one, other) => one.time - other.time);
  const range = rangeOf(points);
  if (range === undefined) return `${title}<text x="${frame.left}" y="${panel / 2}">no data</text>`;
  const values = valueAxis(range.low, range.high, 5);
  const times = timeAxis(range.from, range.to, 7, utc);
  const x = (time: number) => round(frame.left + place(time, times) * inner.width);
  const y = (value: number) => round(frame.top + (1 - place(value, values)) * inner.height);
  const bottom = frame.top + inner.height;
  const grid = values.marks.map(
    ({ at, label }) =>
      `<path d="M${frame.left} ${y(at)}h${inner.width}" stroke="#ddd"/>` +
      `<text x="${frame.left - 8}" y="${y(at) + 4}" text-anchor="end">${label}</text>`,
  );
  const ticks = times.marks.map(
    ({ at, label }) =>
      `<path d="M${x(at)} ${bottom}v5" stroke="#888"/><text x="${x(at)}" y="${bottom + 18}" text-anchor="middle">${label}</text>`,
  );
  const days = `<text x="${frame.left + inner.width / 2}" y="${bottom + 36}" text-anchor="middle" fill="#666">${timeTitle(times, utc)}</text>`;
  const line = `<path d="${path(points, x, y)}" fill="none" stroke="#1668b3" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>`;
  return [title, ...grid, ...ticks, days, line].join("");
}

function place(value: number, { from, to }: Axis): number {
  return (value - from) / (to - from);
}

/** The path of a curve. NaN breaks the line; a single point becomes a dot because lines have round ends. */
function path(points: readonly Point[], x: (time: number) => number, y: (value: number) => number): string {
  let drawing = false;
  return points
    .flatMap(({ time, value }) => {
      const command = drawing ? "L" : "M";
      drawing = !Number.isNaN(value);
      const at = `${x(time)} ${y(value)}`;
      return drawing ? [command === "M" ? `M${at}L${at}` : `L${at}`] : [];
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(text: string): string {
  return safeLine(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
