import { closeSync, constants, createReadStream, openSync, writeSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
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
  /** Ends the wait for what a named pipe gets. */
  readonly signal: AbortSignal;
}

const { O_RDONLY, O_WRONLY, O_NONBLOCK = 0 } = constants;

/**
 * The first bytes of a file: all, or one more than the limit, because a device has no end. Throws an error of the system, the
 * reason of the signal when it aborts, and a `file` failure for what is not a regular file if it has to be one.
 */
export async function readStart(path: string, { limit, isRegular, signal }: Read): Promise<Buffer> {
  if (!isRegular && (await stat(path)).isFIFO()) return upTo(limit, openPipe(path, signal), signal);
  // Opening a named pipe would wait for a writer.
  const file = await open(path, O_RDONLY | (isRegular ? O_NONBLOCK : 0));
  try {
    if (isRegular && !(await file.stat()).isFile()) throw new Failure("file", "not a regular file");
    return await upTo(limit, file.createReadStream({ end: limit, autoClose: false }), signal);
  } finally {
    await file.close();
  }
}

/**
 * Opens a named pipe. Its open and its reads block a thread until a writer comes, and with it the end of the process: when
 * the signal aborts, a byte that is written into the pipe wakes it. Throws the reason of a signal that has aborted.
 */
function openPipe(path: string, signal: AbortSignal): Readable {
  signal.throwIfAborted();
  const wake = () => {
    try {
      const file = openSync(path, O_WRONLY | O_NONBLOCK);
      writeSync(file, "\n");
      closeSync(file);
    } catch {
      // It is full, and wakes the reader, or gone.
    }
  };
  signal.addEventListener("abort", wake, { once: true });
  return createReadStream(path).once("close", () => signal.removeEventListener("abort", wake));
}

/** All bytes of a file. Throws as `readStart`, and a `file` failure for a file over the limit. */
export async function readLimited(path: string, read: Read): Promise<Buffer> {
  return notOver(read.limit, await readStart(path, read));
}

/** All bytes of a stream. Throws a `file` failure if there are more than the limit, and the reason of the signal. */
export async function readStream(limit: number, stream: Readable, signal: AbortSignal): Promise<Buffer> {
  return notOver(limit, await upTo(limit, stream, signal));
}

async function upTo(limit: number, stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => void stream.destroy(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk as Buffer);
      size += bytes.length;
      chunks.push(bytes);
      if (size > limit) break;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks);
}

function notOver(limit: number, bytes: Buffer): Buffer {
  if (bytes.length <= limit) return bytes;
  throw new Failure("file", `it has more than ${sizeText(limit)}`);
}
