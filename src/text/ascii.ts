/** Whether the locale is C or POSIX: its terminals show only ASCII. */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return locale === "C" || locale === "POSIX";
}

/** The glyphs that tongs and its libraries draw, with ASCII of the same width. */
const ascii: Readonly<Record<string, string>> = {
  ...{ "✓": "+", "✔": "+", "✗": "x", "✘": "x", "✖": "x", "●": "*", "◉": "*", "◯": "o", "◌": "o", "−": "-" },
  ...{ "…": "~", "·": "-", "•": "-", "█": "#", "░": ".", "→": ">", "❯": ">", "↑": "^", "↓": "v", "⏎": "<" },
  ...{ "│": "|", "┤": "+", "└": "+", "─": "-", "┬": "+", "▌": "|", "▏": "|" },
};
const anyGlyph = new RegExp(`[${Object.keys(ascii).join("")}]|[⠀-⣿]`, "gu");

/** Replaces glyphs by ASCII of the same width, for terminals that show only ASCII. Dots of plots become `*`. */
export function asciiGlyphs(text: string): string {
  return text.replace(anyGlyph, (glyph) => ascii[glyph] ?? (glyph === "⠀" ? " " : "*"));
}
