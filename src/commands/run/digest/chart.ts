import { safeLine } from "../../../text/safe.ts";
import type { DigestDay } from "./summary.ts";

const frame = { left: 40, top: 40, bottom: 30, right: 20 };
const height = 260;
const colors = { success: "#2da44e", failure: "#cf222e", other: "#8c959f" } as const;
const words = { success: "passed", failure: "failed", other: "cancelled or skipped" } as const;
const kinds = ["success", "failure", "other"] as const;

/** Draws the results per day as stacked bars, in a standalone SVG document. Days without runs are empty. */
export function digestChart(days: readonly DigestDay[], title: string): string {
  const all = withEmptyDays(days);
  const width = Math.max(480, frame.left + frame.right + all.length * 24);
  const most = Math.max(1, ...all.map((day) => day.success + day.failure + day.other));
  const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };
  const step = inner.width / Math.max(1, all.length);
  const bars = all.map((day, index) => {
    let below = 0;
    const parts = kinds.map((kind) => {
      const tall = (day[kind] / most) * inner.height;
      below += tall;
      if (tall === 0) return "";
      const [x, y] = [frame.left + index * step + 2, frame.top + inner.height - below];
      return `<rect x="${round(x)}" y="${round(y)}" width="${round(step - 4)}" height="${round(tall)}" fill="${colors[kind]}"/>`;
    });
    const about = `${day.date}: ${kinds.map((kind) => `${day[kind]} ${words[kind]}`).join(", ")}`;
    return `<g><title>${about}</title>${parts.join("")}</g>`;
  });
  const every = Math.ceil(all.length / 10);
  const labels = all.map(({ date }, index) =>
    index % every === 0
      ? `<text x="${round(frame.left + (index + 0.5) * step)}" y="${height - 10}" text-anchor="middle">${date.slice(5)}</text>`
      : "",
  );
  const legend = kinds.map(
    (kind, index) =>
      `<rect x="${frame.left + index * 90}" y="24" width="10" height="10" fill="${colors[kind]}"/>` +
      `<text x="${frame.left + 14 + index * 90}" y="33">${words[kind]}</text>`,
  );
  const axis = `<text x="${frame.left - 6}" y="${frame.top + 4}" text-anchor="end">${most}</text><path d="M${frame.left} ${frame.top + inner.height}h${round(inner.width)}" stroke="#888"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11"><title>${escaped(title)}</title>` +
    `<rect width="${width}" height="${height}" fill="#fff"/><text x="${frame.left}" y="16" font-weight="bold">${escaped(title)}</text>` +
    `${legend.join("")}${axis}${bars.join("")}${labels.join("")}</svg>\n`
  );
}

/** The days from the first to the last, at most 400. */
function withEmptyDays(days: readonly DigestDay[]): readonly DigestDay[] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const known = new Map(days.map((day) => [day.date, day]));
  const count = Math.min(400, (Date.parse(last.date) - Date.parse(first.date)) / 86_400_000 + 1);
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.parse(last.date) - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return known.get(date) ?? { date, success: 0, failure: 0, other: 0 };
  });
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return safeLine(text).replace(/[&<>"]/g, (character) => names[character] ?? "");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
