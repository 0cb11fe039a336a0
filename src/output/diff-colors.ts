import type { System } from "../system/system.ts";
import { Styled } from "../text/styled.ts";
import type { Output } from "./output.ts";
import { noColors, type Palette, type Style } from "./palette.ts";

/**
 * Colors a diff line by line. Counts the lines of each hunk by its header, so that a removed line that starts with `-- `
 * is not mistaken for a file header.
 */
export function diffPainter(palette: Palette): (line: string) => Styled {
  let removed = 0;
  let added = 0;
  let inHeader = false;

  const styleOf = (line: string): Style => {
    // What is printed between the lines of a diff, such as comments: no line of a hunk starts so.
    if (/^(│|\u00e2\u0094\u0082)/.test(line)) return "warn";
    if (removed > 0 || added > 0) {
      const sign = line[0];
      if (sign !== "+" && sign !== "\\") removed -= 1;
      if (sign !== "-" && sign !== "\\") added -= 1;
      return sign === "+" ? "good" : sign === "-" ? "bad" : "plain";
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      removed = Number(hunk[1] ?? 1);
      added = Number(hunk[2] ?? 1);
      return "link";
    }
    if (line.startsWith("diff --git ")) inHeader = true;
    else if (/^(From [0-9a-f]{40}|-- $)/.test(line)) inHeader = false;
    return inHeader && !line.startsWith("\\") ? "strong" : "plain";
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
