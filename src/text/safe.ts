/** Control characters (C0, DEL, C1) save tab and newline, and the marks that reorder text. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from elsewhere, made safe for a terminal: control characters become visible pictures, line ends are kept. */
export function safe(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(unsafe, picture);
}

/** Whether there is anything to mend at all; there hardly ever is, and tables have many cells. */
const odd = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The same, on one line. */
export function safeLine(text: string): string {
  if (!odd.test(text)) return text;
  return safe(text.replace(/[\t\r\n]+/g, " "));
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return "\ufffd";
}
