import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";
import { Failure } from "../failure/failure.ts";

/** A file to add to an archive. */
export interface FileToZip {
  /** Its path in the archive. */
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/** What the central directory says of a file. */
interface Entry {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** Sizes and offsets have 32 bits, and the number of files 16: without the extension for more. */
const largest = 0xffff_ffff;
const mostFiles = 0xffff;

/** Sizes follow the content (bit 3), and names are UTF-8 (bit 11). */
const flags = 0x0808;
const version = 20;
const deflated = 8;
/** 1980-01-01, the first day that a zip file can have. */
const date = 0x0021;

/**
 * A zip file of files that arrive in pieces (APPNOTE.TXT 6.3): each is compressed as it is read. Files have no times. Throws
 * a `too_large` failure beyond 4 GiB.
 */
export async function* zipOf(files: AsyncIterable<FileToZip>): AsyncGenerator<Buffer, void, undefined> {
  const entries: Entry[] = [];
  let length = 0;
  const counted = (piece: Buffer) => {
    length += piece.length;
    if (length > largest) throw tooLarge();
    return piece;
  };
  for await (const { name: given, content } of files) {
    const [name, offset] = [Buffer.from(given), length];
    yield counted(Buffer.concat([numbers([0x0403_4b50, 4], ...head(0, 0, 0, name)), name]));
    const start = length;
    let [crc, size] = [0, 0];
    async function* measured(): AsyncGenerator<Buffer> {
      for await (const piece of content) {
        crc = crc32(piece, crc);
        size += piece.length;
        yield piece;
      }
    }
    // An error of the content ends the compressed stream with it.
    const compressed = pipeline(Readable.from(measured()), createDeflateRaw(), () => undefined);
    for await (const piece of compressed) yield counted(piece as Buffer);
    if (size > largest || entries.length === mostFiles) throw tooLarge();
    const packed = length - start;
    yield counted(numbers([0x0807_4b50, 4], [crc, 4], [packed, 4], [size, 4]));
    entries.push({ name, crc, packed, size, offset });
  }
  const start = length;
  for (const { name, crc, packed, size, offset } of entries) {
    const entry = numbers(
      ...([
        [0x0201_4b50, 4],
        [version, 2],
      ] as const),
      ...head(crc, packed, size, name),
      ...([
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 4],
        [offset, 4],
      ] as const),
    );
    yield counted(Buffer.concat([entry, name]));
  }
  const count = [entries.length, 2] as const;
  yield numbers([0x0605_4b50, 4], [0, 2], [0, 2], count, count, [length - start, 4], [start, 4], [0, 2]);
}

/** What local headers and the central directory have alike. */
function head(crc: number, packed: number, size: number, name: Buffer): readonly Field[] {
  const common = [
    [version, 2],
    [flags, 2],
    [deflated, 2],
    [0, 2],
    [date, 2],
  ] as const;
  return [...common, [crc, 4], [packed, 4], [size, 4], [name.length, 2], [0, 2]];
}

/** A number and its length in bytes. */
type Field = readonly [value: number, length: 2 | 4];

function numbers(...fields: readonly Field[]): Buffer {
  const written = Buffer.alloc(fields.reduce((sum, [, length]) => sum + length, 0));
  let at = 0;
  for (const [value, length] of fields) at = written.writeUIntLE(value, at, length);
  return written;
}

function tooLarge(): Failure {
  return new Failure("too_large", "The files are too large for a zip file of 4 GiB");
}
