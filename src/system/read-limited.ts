import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { Failure } from "../failure/failure.ts";
import { sizeText } from "../text/format.ts";

/** The most that is read of a file or a pipe that the user names, in bytes. */
export const largestNamed = 256 * 1024 * 1024;

/** What is read of a file. */
interface Read {
  /** In bytes. */
  readonly limit: number;
  /** Whether it has to be a regular file: the user did not name it, but another file, or its directory. */
  readonly isRegular: boolean;
}

/**
 * The first bytes of a file: all, or one more than the limit, because a device has no end. Throws an error of the system,
 * and a `file` failure for what is not a regular file if it has to be one.
 */
export async function readStart(path: string, { limit, isRegular }: Read): Promise<Buffer> {
  // Opening a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (isRegular ? (constants.O_NONBLOCK ?? 0) : 0));
  try {
    if (isRegular && !(await file.stat()).isFile()) throw new Failure("file", "not a regular file");
    return await upTo(limit, file.createReadStream({ end: limit, autoClose: false }));
  } finally {
    await file.close();
  }
}

/** All bytes of a file. Throws as `readStart`, and a `file` failure for a file over the limit. */
export async function readLimited(path: string, read: Read): Promise<Buffer> {
  return notOver(read.limit, await readStart(path, read));
}

/** All bytes of a stream. Throws a `file` failure if there are more than the limit. */
export async function readStream(limit: number, stream: AsyncIterable<unknown>): Promise<Buffer> {
  return notOver(limit, await upTo(limit, stream));
}

async function upTo(limit: number, stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer);
    size += bytes.length;
    chunks.push(bytes);
    if (size > limit) break;
  }
  return Buffer.concat(chunks);
}

function notOver(limit: number, bytes: Buffer): Buffer {
  if (bytes.length <= limit) return bytes;
  throw new Failure("file", `it has more than ${sizeText(limit)}`);
}
