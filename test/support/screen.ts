/** What a terminal shows after this output, line by line. Understands the movements and erasures that live blocks use. */
export function screen(output: string): string[] {
  const lines: string[] = [""];
  let row = 0;
  let column = 0;
  for (const [token, count, code] of output.matchAll(/\u001b\[([?\d;]*)([A-Za-z])|[^\u001b]/gu)) {
    if (code === "A") row = Math.max(0, row - Number(count || 1));
    else if (code === "B") row += Number(count || 1);
    else if (code === "K") lines[row] = count === "2" ? "" : (lines[row] ?? "").slice(0, column);
    else if (token === "\r" || code === "G") column = 0;
    else if (token === "\n") {
      row += 1;
      column = 0;
    } else if (code === undefined) {
      const line = (lines[row] ?? "").padEnd(column);
      lines[row] = line.slice(0, column) + token + line.slice(column + 1);
      column += 1;
    }
    lines[row] ??= "";
  }
  return lines.join("\n").trimEnd().split("\n");
}

/** The output of each redraw of a live block; the first element is what came before them. */
export function redraws(output: string): string[] {
  return output.split("\u001b[?2026h");
}
