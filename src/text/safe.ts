/**
 * Characters that are not text: control characters (C0, DEL, C1) except tab and newline, bidirectional marks, the line and
 * paragraph separators, and halves of surrogate pairs.
 */
const unsafe =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\p{Cs}]";

const isUnsafe = new RegExp(unsafe, "u");
const anyUnsafe = new RegExp(unsafe, "gu");

/** Any character that `safeLine` replaces. Text rarely has one. */
const isUnsafeInLine = new RegExp(`${unsafe}|[\\t\\n]`, "u");

/** Escape codes and controls that may be kept in text that a library or another program wrote. */
const keepable = {
  /** Colors and weights (SGR). */
  style: "\\u001b\\[[0-9;]*m",
  /** Style, movements and visibility of the cursor, erasing, synchronized output, and carriage returns. */
  drawing: "\\u001b\\[(?:[0-9;]*[mA-HJKdf]|\\?(?:25|2026)[hl])|\\r",
  /** Colors and weights, and links (OSC 8) to web addresses. */
  linked: "\\u001b\\[[0-9;]*m|\\u001b\\]8;;(?:https?:[!-~]*)?\\u0007",
  /** Carriage returns: a program writes its progress over and over. */
  overwriting: "\\r",
} as const;

/** Which codes are kept. */
export type Kept = keyof typeof keepable;

/** Makes untrusted text safe for a terminal: replaces control characters with visible ones, keeps line breaks. */
export function safe(text: string): string {
  return isUnsafe.test(text) ? text.replace(/\r\n/g, "\n").replace(anyUnsafe, picture) : text;
}

/** Makes untrusted text safe for a terminal, on one line. */
export function safeLine(text: string): string {
  if (!isUnsafeInLine.test(text)) return text;
  return safe(text.replace(/[\t\r\n]+/g, " "));
}

/** Makes text safe for a terminal, but keeps some codes. */
export function safeExcept(kept: Kept, text: string): string {
  if (!isUnsafe.test(text)) return text;
  const pattern = new RegExp(`(${keepable[kept]})|${unsafe}`, "gu");
  return text.replace(pattern, (match, code: string | undefined) => code ?? picture(match));
}

/** Makes JSON text safe for a terminal: it stays the same JSON value, with escapes such as `\u009b`. */
export function safeJson(json: string): string {
  if (!isUnsafe.test(json)) return json;
  return json.replace(anyUnsafe, (character) => {
    // Outside strings, JSON may have carriage returns.
    return character === "\r" ? "" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return "\ufffd";
}

/** Whether the locale is C or POSIX: its terminals show only ASCII. */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return locale === "C" || locale === "POSIX";
}

/** The glyphs that tongs and its libraries draw, after the ASCII of the same width. */
const glyphs = ["+✓✔┤└┬", "x✗✘✖", "*●◉", "o◯◌", "-−·•─", "~…", "#█", ".░", ">→❯", "^↑", "v↓", "<⏎", "|│▌▏"];
const ascii: Readonly<Record<string, string>> = Object.fromEntries(
  glyphs.flatMap(([plain = "", ...drawn]) => drawn.map((glyph) => [glyph, plain])),
);
const anyGlyph = new RegExp(`[${Object.keys(ascii).join("")}]|[⠀-⣿]`, "gu");

/** Replaces glyphs by ASCII of the same width, for terminals that show only ASCII. Dots of plots become `*`. */
export function asciiGlyphs(text: string): string {
  return text.replace(anyGlyph, (glyph) => ascii[glyph] ?? (glyph === "⠀" ? " " : "*"));
}
