// Draws the cells of a screen as SVG: text that can be selected, without fonts, scripts or anything from elsewhere.

/** The size of a cell and of the margin, in pixels. */
const [width, height, margin] = [8.4, 19, 16];

/** @typedef {import("./screen.mjs").Cell} Cell */
/** @typedef {Cell & { column: number }} Run */

/** @type {Record<string, string>} */
const colors = {
  black: "#6e7681",
  red: "#ff7b72",
  green: "#3fb950",
  yellow: "#d29922",
  blue: "#58a6ff",
  magenta: "#bc8cff",
  cyan: "#39c5cf",
  white: "#e6edf3",
  gray: "#8b949e",
};

/**
 * The picture of a screen, `columns` wide, with a title for those who do not see it.
 * @param {readonly (readonly Cell[])[]} rows
 * @param {{ columns: number, title: string }} options
 */
export function drawScreen(rows, { columns, title }) {
  const last = rows.findLastIndex((cells) => cells.some(({ text }) => text !== " "));
  const shown = rows.slice(0, last + 1);
  const size = { x: Math.ceil(columns * width + 2 * margin), y: Math.ceil(shown.length * height + 2 * margin) };
  const lines = shown.flatMap((cells, row) => {
    const runs = runsOf(cells).map((run) => drawRun(run, row));
    return runs.length === 0 ? [] : [runs.join("")];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.x} ${size.y}" width="${size.x}" height="${size.y}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">`,
    ...lines,
    "</g>",
    "</svg>",
  ].join("\n")}\n`;
}

/**
 * Cells of the same style that follow each other; two spaces end a run, so that each word group has its own place.
 * @param {readonly Cell[]} cells
 */
function runsOf(cells) {
  /** @type {(Run & { key: string })[]} */
  const runs = [];
  let isOpen = false;
  cells.forEach(({ text, style }, column) => {
    const key = JSON.stringify(style);
    const last = runs.at(-1);
    const isGap = text === " " && (cells[column + 1]?.text ?? " ") === " ";
    const open = isOpen && last?.key === key ? last : undefined;
    if (isGap || (text === " " && open === undefined)) isOpen = false;
    else if (open !== undefined) open.text += text;
    else {
      runs.push({ text, style, key, column });
      isOpen = true;
    }
  });
  return runs.map((run) => ({ ...run, text: run.text.trimEnd() })).filter(({ text }) => text !== "");
}

/**
 * A run with its width given, so that columns stay aligned in every font; glyphs such as dots each have their place.
 * @param {Run} run
 * @param {number} row
 */
function drawRun({ text, style, column }, row) {
  /** @param {number} number */
  const round = (number) => Number(number.toFixed(1));
  const chars = [...text];
  /** @param {number} index */
  const at = (index) => round(margin + (column + index) * width);
  const isPlain = /^[\u0020-\u00ff]*$/.test(text);
  const place = isPlain
    ? [`x="${at(0)}"`, `textLength="${round(chars.length * width)}"`, 'lengthAdjust="spacingAndGlyphs"']
    : [`x="${chars.map((_, index) => at(index)).join(" ")}"`];
  const look = [
    ...(style.color === undefined ? [] : [`fill="${colors[style.color]}"`]),
    ...(style.bold ? ['font-weight="bold"'] : []),
    ...(style.dim ? ['opacity="0.65"'] : []),
  ];
  return `<text ${[...place, `y="${round(margin + row * height + 14)}"`, ...look].join(" ")}>${escaped(text)}</text>`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
