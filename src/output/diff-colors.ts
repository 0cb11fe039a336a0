import type { Palette, Style } from "./palette.ts";

/**
 * Colors a diff line by line. Counts the lines of each hunk by its header, so that a removed line that starts with `-- `
 * is not mistaken for a file header.
 */
export function diffPainter(palette: Palette): (line: string) => string {
  let removed = 0;
  let added = 0;
  let inHeader = false;

  const styleOf = (line: string): Style => {
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
    return style === "plain" || line === "" ? line : palette(style, line);
  };
}
