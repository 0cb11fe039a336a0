import { closeSync, openSync, readSync } from "node:fs";

/** Text that is not UTF-8. */
export class BadEncoding extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Told of each piece of a file as it is read; its bytes are others afterwards. */
export type OnBytes = (bytes: Buffer) => void;

/** A file's text, piece by piece, without a byte order mark. Throws a `BadEncoding` with its line for what is not UTF-8. */
export async function* readText(file: string, onBytes?: OnBytes): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let line = 1;
  let first = true;
  for (const bytes of pieces(file)) {
    onBytes?.(bytes);
    if (first && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))) {
      throw new BadEncoding(1, "the file is UTF-16; save it as UTF-8");
    }
    first = false;
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch {
      throw new BadEncoding(line + badLine(bytes), "this is not UTF-8 (Latin-1, perhaps); save the file as UTF-8");
    }
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) line += 1;
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw new BadEncoding(line, "the file ends inside a character");
  }
}

const pieceLength = 8 * 1024;

/**
 * The bytes of a file, each piece in the place of the one before. Read at once: the disk is faster than what is done
 * with them, and a stream takes longest to load.
 */
function* pieces(file: string): Generator<Buffer, void, undefined> {
  const bytes = Buffer.allocUnsafeSlow(pieceLength);
  const open = openSync(file, "r");
  try {
    for (;;) {
      const count = readSync(open, bytes);
      if (count === 0) return;
      yield bytes.subarray(0, count);
    }
  } finally {
    closeSync(open);
  }
}

/** How many lines into a piece its first invalid byte is. */
function badLine(bytes: Buffer): number {
  return (bytes.toString("utf8").split("\ufffd", 1)[0] ?? "").split("\n").length - 1;
}
