/** Codes that reach a terminal only if text of a server is written to it raw; in all the ways that terminals know. */
export const hostile = [
  "\u001b]52;c;b3duZWQ=\u0007",
  "\u001b]0;owned\u001b\\",
  "\u001b]8;;file:///etc/passwd\u001b\\x",
  "\u009b45m\u009d0;owned\u009c",
  "\u001b[45m\u001b[8m",
  "\u202e\u2066\u061c\u200f\u2028",
  "\u000b\f\b\u0007\u007f",
].join("");

/** The codes that tongs itself writes: colors of the palette. */
const ownStyle = /\u001b\[(?:1|2|22|31|32|33|35|36|39)m/g;

/**
 * The sign that a request takes long, and the codes of live blocks and prompts: cursor, erasing, synchronized output, the
 * blue of the prompt library.
 */
const ownDrawing =
  /\r[\u2800-\u28ff] Waiting for the server|\r\u001b\[K|\u001b\[(?:\d*[ABCDGJK]|34m|\?(?:25|2026)[hl])/g;

const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** What passed raw to a terminal, escaped, with the text around it. Empty if nothing did. */
export function rawCodes(written: string, { drawing = false } = {}): string[] {
  const rest = written.replace(ownStyle, "").replace(drawing ? ownDrawing : "", "");
  return [...rest.matchAll(raw)].map(({ index }) => JSON.stringify(rest.slice(Math.max(0, index - 40), index + 20)));
}
