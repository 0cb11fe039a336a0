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

/** Length of the UTF-8 sequence at `at`, or 0 if it is not valid. */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = at + 1 < end ? (bytes[at + 1] ?? 0) : 0;
  // The second byte reveals overlong forms, surrogates and code points above U+10FFFF.
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

// Keep a byte order mark, as other protobuf decoders do.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes bytes that are known to be valid UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Encodes well-formed text as UTF-8. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

const shortText = 64;
const latin1 = Buffer.prototype.latin1Slice;

// In decoded readings, each byte B that is not part of valid UTF-8 is the lone surrogate U+DC00 + B. Valid UTF-8 never
// decodes to a lone surrogate, so the original bytes can always be restored.
const surrogateBase = 0xdc00;
// Strict JSON parsers reject lone surrogates, so output has U+FFFD and two hex digits instead.
const replacement = "\ufffd";
const plain = /^[ -~]*$/;
const loneSurrogate = /\p{Surrogate}/u;

/** Decodes any bytes without loss. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length < shortText) {
    let odd = 0;
    for (let at = 0; at < bytes.length; at += 1) odd |= bytes[at] ?? 0;
    // A third of the time of TextDecoder.
    if (odd < 0x80) return latin1.call(bytes, 0, bytes.length);
  }
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const bad = invalidUtf8At(bytes, at, bytes.length);
    if (bad !== at) parts.push(utf8Text(bytes.subarray(at, bad < 0 ? bytes.length : bad)));
    if (bad < 0) return parts.join("");
    parts.push(String.fromCharCode(surrogateBase + (bytes[bad] ?? 0)));
    at = bad + 1;
  }
}

/** The inverse of `decodeText`. */
export function encodeText(text: string): Uint8Array {
  if (!hasInvalidUtf8(text)) return utf8Bytes(text);
  const parts: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point >= surrogateBase + 0x80 && point <= surrogateBase + 0xff) parts.push(point - surrogateBase);
    else parts.push(...utf8Bytes(character));
  }
  return Uint8Array.from(parts);
}

/** Whether the text contains bytes that are not valid UTF-8. */
export function hasInvalidUtf8(text: string): boolean {
  return loneSurrogate.test(text);
}

/**
 * The text as it is printed: each invalid byte is U+FFFD and two hex digits, and so is each byte of a real U+FFFD, so
 * that the two cannot be confused.
 */
export function displayText(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(/\ufffd|[\udc80-\udcff]/gu, (found) => {
    const bytes = found === replacement ? [0xef, 0xbf, 0xbd] : [found.charCodeAt(0) - surrogateBase];
    return bytes.map((byte) => replacement + byte.toString(16).toUpperCase().padStart(2, "0")).join("");
  });
}

/** The text that is shown as `shown`, or itself if `displayText` did not make it. */
export function fromDisplayText(shown: string): string {
  return shown.includes(replacement) ? (parseDisplayText(shown) ?? shown) : shown;
}

/** The inverse of `displayText`; undefined if `shown` is not valid output of it. */
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
