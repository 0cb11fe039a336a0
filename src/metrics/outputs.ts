import { closeSync, openSync, writeSync } from "node:fs";
import { Failure } from "../failure/failure.ts";
import { fullPath } from "../system/files.ts";
import type { OutputStream } from "../system/output-stream.ts";
import { Styled } from "../text/styled.ts";

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

/** Writes to a stream. With `json`, control characters in strings are escaped if the stream is a terminal. */
function streamSink(stream: OutputStream, json: boolean): Sink {
  const decoder = json && stream.isTTY === true ? new TextDecoder() : undefined;
  let ready = true;
  return {
    write: (bytes) => {
      const content = decoder && Styled.json(decoder.decode(bytes, { stream: true }));
      ready = stream.write(content ?? Uint8Array.from(bytes));
    },
    drained: () => (ready ? undefined : stream.flushed().then(() => undefined)),
  };
}

/**
 * Runs `work` with a sink for `-o FILE`, or for stdout, where `json` says that JSON is written. Returns quietly if the
 * reader of stdout closes it.
 */
export async function withSink(
  system: { readonly stdout: OutputStream; readonly cwd: string },
  file: string | undefined,
  work: (sink: Sink) => Promise<void>,
  { json = false }: { readonly json?: boolean } = {},
): Promise<void> {
  if (file === undefined || file === "-") {
    try {
      const { stdout } = system;
      const { fd } = stdout;
      await work(fd !== undefined && stdout.isTTY !== true ? fdSink(fd) : streamSink(stdout, json));
    } catch (error) {
      if (!(error instanceof OutputClosed)) throw error;
    }
    return;
  }
  const fd = openForWriting(fullPath(file, system), file);
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
