/** A drawing of dots, two by four in each character. */
export interface Canvas {
  /** Draws a line between two dots. Dots outside are left out. */
  readonly line: (fromX: number, fromY: number, toX: number, toY: number) => void;
  /** The drawing, line by line. */
  readonly rows: () => string[];
}

// Unicode numbers the dots of a braille cell by columns, save the lowest two, which came later.
const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
];
const blank = 0x2800;

/** An empty canvas of so many characters. */
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
