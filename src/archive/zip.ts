import { Zip, ZipDeflate } from "fflate";
import { Failure } from "../failure/failure.ts";

/** A file to add to an archive. */
export interface FileToZip {
  /** Its path in the archive. */
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/** Sizes and offsets have 32 bits, and the number of files 16: without the extension for more. */
const largest = 0xffff_ffff;
const mostFiles = 0xffff;

/**
 * A zip file of files that arrive in pieces: each is compressed as it is read. Files have no times. Throws a `too_large`
 * failure beyond 4 GiB.
 */
export async function* zipOf(files: AsyncIterable<FileToZip>): AsyncGenerator<Buffer, void, undefined> {
  let [made, length, count]: [Buffer[], number, number] = [[], 0, 0];
  const zip = new Zip((_, piece) => {
    made.push(Buffer.from(piece));
    length += piece.length;
  });
  function* taken() {
    if (length > largest || count > mostFiles)
      throw new Failure("too_large", "The files are too large for a zip file of 4 GiB");
    yield* made;
    made = [];
  }
  for await (const { name, content } of files) {
    // The first day that a zip file can have.
    const file = Object.assign(new ZipDeflate(name), { mtime: new Date(1980, 0, 1) });
    zip.add(file);
    count += 1;
    let size = 0;
    for await (const piece of content) {
      size += piece.length;
      if (size > largest) length = size;
      file.push(piece);
      yield* taken();
    }
    file.push(new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
