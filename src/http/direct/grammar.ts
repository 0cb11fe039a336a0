const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const control = "\\0-\\x08\\x0a-\\x1f\\x7f";

const wholeToken = new RegExp(`^${token}$`);
const anyControl = new RegExp(`[${control}]`);
const chunkExtension = new RegExp(`^${token}(=(${token}|"[^"\\\\${control}]*"))?$`);

/** A name of a method or a header (RFC 9110 5.6.2). */
export function isToken(text: string): boolean {
  return wholeToken.test(text);
}

/** Whether a text has what no header may have: control characters, save for tabs (RFC 9110 5.5). */
export function hasControl(text: string): boolean {
  return anyControl.test(text);
}

/** One extension of a chunk (RFC 9112 7.1.1). */
export function isChunkExtension(text: string): boolean {
  return chunkExtension.test(text);
}
