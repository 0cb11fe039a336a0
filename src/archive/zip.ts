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
    yield counted(Buffer.concat([longs(0x0403_4b50), head(0, 0, 0, name), name]));
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
    const compressed: AsyncIterable<Buffer> = pipeline(Readable.from(measured()), createDeflateRaw(), () => undefined);
    for await (const piece of compressed) yield counted(piece);
    if (size > largest || entries.length === mostFiles) throw tooLarge();
    const packed = length - start;
    yield counted(longs(0x0807_4b50, crc, packed, size));
    entries.push({ name, crc, packed, size, offset });
  }
  const start = length;
  for (const { name, crc, packed, size, offset } of entries) {
    const entry = [
      longs(0x0201_4b50),
      shorts(version),
      head(crc, packed, size, name),
      shorts(0, 0, 0),
      longs(0, offset),
    ];
    yield counted(Buffer.concat([...entry, name]));
  }
  const count = entries.length;
  yield Buffer.concat([longs(0x0605_4b50), shorts(0, 0, count, count), longs(length - start, start), shorts(0)]);
}

/** What local headers and the central directory have alike. */
function head(crc: number, packed: number, size: number, name: Buffer): Buffer {
  return Buffer.concat([shorts(version, flags, deflated, 0, date), longs(crc, packed, size), shorts(name.length, 0)]);
}

/** Numbers of 16 bits. */
function shorts(...values: readonly number[]): Buffer {
  const written = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) written.writeUInt16LE(value, 2 * at);
  return written;
}

/** Numbers of 32 bits. */
function longs(...values: readonly number[]): Buffer {
  const written = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) written.writeUInt32LE(value, 4 * at);
  return written;
}

function tooLarge(): Failure {
  return new Failure("too_large", "The files are too large for a zip file of 4 GiB");
}
