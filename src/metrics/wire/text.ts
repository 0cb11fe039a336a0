/** Index of the first byte that is not part of valid UTF-8 (RFC 3629), or -1. */
export function invalidUtf8At(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const length = sequenceLength(bytes, at, end);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** Length of the valid UTF-8 sequence that begins at `at`; 0 when none does. */
export function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = at + 1 < end ? (bytes[at + 1] ?? 0) : 0;
  // Overlong forms, surrogates and what lies above U+10FFFF all show in the second byte.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  if (lead < 0xe0) return 2;
  if (!isContinuation(bytes, at + 2, end)) return 0;
  if (lead < 0xf0) return 3;
  return isContinuation(bytes, at + 3, end) ? 4 : 0;
}

function isContinuation(bytes: Uint8Array, at: number, end: number): boolean {
  return at < end && ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

// A byte order mark is text here, as in every other conforming decoder.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Text of bytes that are known to be valid UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** UTF-8 of well-formed text. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

// Strings that are not UTF-8 live in readings as text in which each stray byte B is the lone surrogate U+DC00 + B.
// No valid UTF-8 decodes to a lone surrogate, so nothing is lost and nothing is taken for another.
const stray = 0xdc00;
// Outside, a lone surrogate would break strict JSON readers: there a stray byte is U+FFFD and two hex digits.
const replacement = "\ufffd";
const loneSurrogate = /\p{Surrogate}/u;

/** Text of any bytes, without loss. */
export function decodeText(bytes: Uint8Array): string {
  if (invalidUtf8At(bytes, 0, bytes.length) < 0) return utf8Text(bytes);
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at, bytes.length);
    text += length > 0 ? utf8Text(bytes.subarray(at, at + length)) : String.fromCharCode(stray + (bytes[at] ?? 0));
    at += length > 0 ? length : 1;
  }
  return text;
}

/** The bytes that `decodeText` made the text of. */
export function encodeText(text: string): Uint8Array {
  if (!hasInvalidUtf8(text)) return utf8Bytes(text);
  const parts: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point >= stray + 0x80 && point <= stray + 0xff) parts.push(point - stray);
    else parts.push(...utf8Bytes(character));
  }
  return Uint8Array.from(parts);
}

/** Whether the text stands for bytes that are not UTF-8. */
export function hasInvalidUtf8(text: string): boolean {
  return loneSurrogate.test(text);
}

/**
 * The text as people and programs get to see it: each stray byte is U+FFFD and its two hex digits, and so is each byte
 * of a true U+FFFD, so that the one is never taken for the other.
 */
export function displayText(text: string): string {
  return text.replace(/\ufffd|[\udc80-\udcff]/gu, (found) => {
    const bytes = found === replacement ? [0xef, 0xbf, 0xbd] : [found.charCodeAt(0) - stray];
    return bytes.map((byte) => replacement + byte.toString(16).toUpperCase().padStart(2, "0")).join("");
  });
}

/** The inverse of `displayText`; undefined when the text is not of its making. */
export function parseDisplayText(shown: string): string | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < shown.length; ) {
    const character = String.fromCodePoint(shown.codePointAt(at) ?? 0);
    if (character === replacement) {
      const hex = shown.slice(at + 1, at + 3);
      if (!/^[0-9A-F]{2}$/.test(hex)) return undefined;
      bytes.push(Number.parseInt(hex, 16));
      at += 3;
    } else {
      bytes.push(...utf8Bytes(character));
      at += character.length;
    }
  }
  return decodeText(Uint8Array.from(bytes));
}
