/** Bytes without the byte order mark of UTF-8 that editors and shells of Windows put first. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The text of UTF-8, without a byte order mark. */
export function utf8Text(bytes: Buffer): string {
  return withoutMark(bytes).toString("utf8");
}
