import type { OutputStream } from "./output-stream.ts";
import type { System } from "./system.ts";

/** How many parts of the program draw on the terminal of a stream by themselves. */
const drawing = new WeakMap<OutputStream, number>();

/** Marks that a prompt, a live block or a pager draws on the terminal; returns a function that ends it. */
export function startDrawing(stream: OutputStream): () => void {
  drawing.set(stream, (drawing.get(stream) ?? 0) + 1);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    drawing.set(stream, (drawing.get(stream) ?? 0) - 1);
  };
}

/** Whether something draws on the terminal: then nothing else is animated there. */
export function isDrawing({ stdout, stderr }: Pick<System, "stdout" | "stderr">): boolean {
  return [stdout, stderr].some((stream) => (drawing.get(stream) ?? 0) > 0);
}
