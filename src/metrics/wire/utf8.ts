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
