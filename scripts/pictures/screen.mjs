// A terminal of a width and of unlimited height: what is shown after this output, cell by cell. Knows the codes that tongs, its prompts and
// git use; others are left out.

const sequence = /\u001b\[([?\d;]*)([A-Za-z])|\u001b\]8;[^\u0007\u001b]*(?:\u001b\\|\u0007)|\u001b./gu;

/** @typedef {{ bold?: boolean, dim?: boolean, color?: string }} Style */
/** @typedef {{ text: string, style: Style }} Cell */

/**
 * Opens a screen with a number of columns; `write` takes output in pieces, `rows` are the cells.
 * @param {number} columns
 */
export function openScreen(columns) {
  /** @type {Cell[][]} */
  const rows = [[]];
  let [row, column, saved] = [0, 0, ""];
  /** @type {Style} */
  let style = {};

  /** @param {string} char */
  function put(char) {
    if (char === "\r") column = 0;
    else if (char === "\b") column = Math.max(0, column - 1);
    else if (char === "\n") {
      row += 1;
      rows[row] ??= [];
    } else if (char >= " ") {
      if (column >= columns) [row, column] = [row + 1, 0];
      const cells = rows[row] ?? [];
      rows[row] = cells;
      while (cells.length < column) cells.push({ text: " ", style: {} });
      cells[column] = { text: char, style };
      column += 1;
    }
  }

  /**
   * @param {string} parameters
   * @param {string} letter
   */
  function move(parameters, letter) {
    const count = Number(parameters || 1);
    if (letter === "A") row = Math.max(0, row - count);
    else if (letter === "B") row += count;
    else if (letter === "C") column += count;
    else if (letter === "D") column = Math.max(0, column - count);
    else if (letter === "G") column = count - 1;
    else if (letter === "K") rows[row] = parameters === "2" ? [] : (rows[row] ?? []).slice(0, column);
    else if (letter === "J" && (parameters === "" || parameters === "0")) {
      rows[row] = (rows[row] ?? []).slice(0, column);
      rows.length = row + 1;
    } else if (letter === "m") style = styleAfter(style, parameters);
    rows[row] ??= [];
  }

  return {
    rows,
    /** @param {string} text */
    write(text) {
      // A code can be cut at the end of a piece.
      const all = saved + text;
      const cut = /\u001b(?:\[[?\d;]*|\][^\u0007\u001b]*)?$/.exec(all);
      saved = cut === null ? "" : all.slice(cut.index);
      const whole = cut === null ? all : all.slice(0, cut.index);
      let at = 0;
      for (const match of whole.matchAll(sequence)) {
        for (const char of whole.slice(at, match.index)) put(char);
        if (match[2] !== undefined) move(match[1] ?? "", match[2]);
        at = match.index + match[0].length;
      }
      for (const char of whole.slice(at)) put(char);
    },
    text: () =>
      rows
        .map((cells) =>
          cells
            .map(({ text }) => text)
            .join("")
            .trimEnd(),
        )
        .join("\n"),
  };
}

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/**
 * The style after the parameters of SGR.
 * @param {Style} before
 * @param {string} parameters
 */
function styleAfter(before, parameters) {
  /** @type {Style} */
  let style = { ...before };
  for (const code of parameters.split(";").map(Number)) {
    if (code === 0) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 22) style = withColor({}, style.color);
    else if (code === 39) style = withColor(style, undefined);
    else if (code >= 30 && code <= 37) style = withColor(style, names[code - 30]);
    else if (code >= 90 && code <= 97) style = withColor(style, code === 90 ? "gray" : names[code - 90]);
  }
  return style;
}

/**
 * @param {Style} style
 * @param {string | undefined} color
 * @returns {Style}
 */
function withColor({ color: _, ...style }, color) {
  return color === undefined ? style : { ...style, color };
}
