import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { Failure } from "../failure/failure.ts";
import type { OutputStream } from "../system/output-stream.ts";

/** A destination for output. */
export interface Sink {
  /** Writes bytes; the buffer may be reused afterwards. Throws `OutputClosed` if the reader is gone. */
  readonly write: (bytes: Uint8Array) => void;
  /** A promise to wait for before writing more, if the reader is slow. */
  readonly drained: () => Promise<void> | undefined;
}

/** The reader of the output closed it, as in `| head`; this is not a failure. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** Writes to a file descriptor synchronously. */
export function fdSink(fd: number): Sink {
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSome(fd, bytes, at);
    },
    drained: () => undefined,
  };
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function writeSome(fd: number, bytes: Uint8Array, at: number): number {
  try {
    return writeSync(fd, bytes, at, bytes.length - at);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EPIPE") throw new OutputClosed();
    if (code !== "EAGAIN") throw error;
    // The pipe is full, and another program made it non-blocking.
    Atomics.wait(sleeper, 0, 0, 1);
    return 0;
  }
}

/** Writes to a stream. */
export function streamSink(stream: Writable): Sink {
  return {
    write: (bytes) => {
      if (stream.destroyed || stream.writableEnded) throw new OutputClosed();
      stream.write(Uint8Array.from(bytes));
    },
    drained: () => (stream.writableNeedDrain ? waitForDrain(stream) : undefined),
  };
}

function waitForDrain(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.once("drain", resolve);
    stream.once("close", resolve);
  });
}

/** Runs `work` with a sink for `-o FILE`, or for stdout. Returns quietly if the reader of stdout closes it. */
export async function withSink(
  { stdout, cwd }: { readonly stdout: OutputStream; readonly cwd: string },
  file: string | undefined,
  work: (sink: Sink) => Promise<void>,
): Promise<void> {
  if (file === undefined || file === "-") {
    try {
      const { fd } = stdout;
      await work(fd !== undefined && stdout.isTTY !== true ? fdSink(fd) : streamSink(stdout.stream()));
    } catch (error) {
      if (!(error instanceof OutputClosed)) throw error;
    }
    return;
  }
  const fd = openForWriting(resolve(cwd, file), file);
  try {
    await work(fdSink(fd));
  } finally {
    closeSync(fd);
  }
}

function openForWriting(path: string, file: string): number {
  try {
    return openSync(path, "w");
  } catch (error) {
    const reason = (error as Error).message;
    throw new Failure("cannot_write", "failure", `Cannot write ${file}: ${reason}`, { cause: error });
  }
}
