import type { System } from "../system/system.ts";
import { Styled } from "../text/styled.ts";
import { hunkCounter } from "./hunks.ts";
import type { Output } from "./output.ts";
import { noColors, type Palette, type Style } from "./palette.ts";

/** Colors a diff line by line. */
export function diffPainter(palette: Palette): (line: string) => Styled {
  const hunkLine = hunkCounter();
  let inHeader = false;

  const styleOf = (line: string): Style => {
    // What is printed between the lines of a diff, such as comments: no line of a hunk starts so.
    if (/^(│|\u00e2\u0094\u0082)/.test(line)) return "warn";
    if (hunkLine(line) !== undefined) return line.startsWith("+") ? "good" : line.startsWith("-") ? "bad" : "plain";
    if (/^@@ -\d/.test(line)) return "link";
    if (line.startsWith("diff --git ")) inHeader = true;
    else if (/^(From [0-9a-f]{40}|-- $)/.test(line)) inHeader = false;
    return inHeader ? "strong" : "plain";
  };
  return (line) => {
    const style = styleOf(line);
    return style === "plain" || line === "" ? Styled.plain(line) : palette(style, line);
  };
}

/** Prints a diff: in the pager and colored on a terminal, unchanged in a pipe. */
export async function showDiff(
  pieces: AsyncIterable<Buffer>,
  context: { readonly system: System; readonly out: Output },
): Promise<void> {
  const { out } = context;
  if (!out.terminal && out.palette === noColors) {
    for await (const piece of pieces) await out.raw(piece);
    return;
  }
  const { showLines } = await import("./show-lines.ts");
  await showLines(pieces, diffPainter(out.palette), context);
}
