// Unicode numbers the dots of a braille cell by column, except for the bottom row.
const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
];
const blank = 0x2800;

/** Creates a canvas of braille dots, two by four per character, each of which has the pen that was used there last. `rows` has runs of a pen. */
export function createCanvas(columns: number, lines: number) {
  const cells = new Uint8Array(columns * lines);
  const pens = new Uint8Array(columns * lines);

  function dot(x: number, y: number, pen: number): void {
    if (x < 0 || y < 0 || x >= columns * 2 || y >= lines * 4) return;
    const cell = (y >> 2) * columns + (x >> 1);
    cells[cell] = (cells[cell] ?? 0) | (bits[y & 3]?.[x & 1] ?? 0);
    pens[cell] = pen;
  }

  /** Draws a line between two dots, clipped to the canvas. */
  function line(fromX: number, fromY: number, toX: number, toY: number, pen = 0): void {
    const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1);
    for (let step = 0; step <= steps; step += 1) {
      dot(Math.round(fromX + ((toX - fromX) * step) / steps), Math.round(fromY + ((toY - fromY) * step) / steps), pen);
    }
  }

  function row(line: number) {
    const runs: { pen: number; text: string }[] = [];
    for (let cell = line * columns; cell < (line + 1) * columns; cell += 1) {
      const text = cells[cell] === 0 ? " " : String.fromCharCode(blank + (cells[cell] ?? 0));
      const pen = pens[cell] ?? 0;
      const last = runs.at(-1);
      if (last !== undefined && (last.pen === pen || text === " ")) last.text += text;
      else runs.push({ pen, text });
    }
    const last = runs.at(-1);
    if (last !== undefined) last.text = last.text.trimEnd();
    return runs;
  }

  return { line, rows: () => Array.from({ length: lines }, (_, line) => row(line)) };
}
