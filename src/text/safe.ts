/** Control characters (C0, DEL, C1) except tab and newline, and bidirectional marks. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes untrusted text safe for a terminal: replaces control characters with visible ones, keeps line breaks. */
export function safe(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(unsafe, picture);
}

/** Any character that `safeLine` replaces. Text rarely has one. */
const unsafeInLine = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Makes untrusted text safe for a terminal, on one line. */
export function safeLine(text: string): string {
  if (!unsafeInLine.test(text)) return text;
  return safe(text.replace(/[\t\r\n]+/g, " "));
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return "\ufffd";
}
