import { closeSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { diskFailure } from "../failure/disk.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { fullPath, type Place } from "../system/files.ts";
import type { OutputStream } from "../system/output-stream.ts";
import { Styled } from "../text/styled.ts";
import { fileBehind } from "./stream/source.ts";

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
export function streamSink(stream: OutputStream, json: boolean): Sink {
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
 * Runs `work` with a sink for `-o FILE`, or for stdout, where `json` says that JSON is written. The file is created or
 * emptied at the first write, or at the end, so that a run that fails before leaves it as it was. Returns quietly if the
 * reader of stdout or of a pipe closes it.
 */
export async function withSink(
  system: { readonly stdout: OutputStream } & Place,
  file: string | undefined,
  work: (sink: Sink) => Promise<void>,
  { json = false }: { readonly json?: boolean } = {},
): Promise<void> {
  try {
    if (file === undefined || file === "-") {
      const { stdout } = system;
      const { fd } = stdout;
      await work(fd !== undefined && stdout.isTTY !== true ? fdSink(fd) : streamSink(stdout, json));
    } else await withFile(fullPath(file, system), file, work);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

async function withFile(path: string, file: string, work: (sink: Sink) => Promise<void>): Promise<void> {
  let fd: number | undefined;
  const open = () => {
    fd ??= openSync(path, "w");
    return fd;
  };
  const write = (bytes: Uint8Array) => {
    try {
      fdSink(open()).write(bytes);
    } catch (error) {
      throw cannotWrite(error, file);
    }
  };
  try {
    await work({ write, drained: () => undefined });
    write(new Uint8Array());
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function cannotWrite(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return diskFailure(error, file) ?? new Failure("cannot_write", `Cannot write ${file} (${code})`, { cause: error });
}

/**
 * Throws a usage error if the output (`-o FILE`, or stdout) is the same file as one of the inputs, also by another name:
 * it would be emptied before it is read. `-` is stdin; undefined names, of flags that were not given, are skipped.
 */
export function refuseInput(
  system: { readonly stdin: Readable; readonly stdout: OutputStream } & Place,
  output: string | undefined,
  inputs: readonly (string | undefined)[],
): void {
  const isStdout = output === undefined || output === "-";
  const target = fileAt(isStdout ? system.stdout.fd : fullPath(output, system));
  if (target === undefined) return;
  for (const input of inputs) {
    if (input === undefined) continue;
    const source = fileAt(input === "-" ? fileBehind(system.stdin) : fullPath(input, system));
    if (source?.dev === target.dev && source.ino === target.ino) {
      throw new UsageError(`${isStdout ? "stdout" : output} is also an input`, "Write to another file.");
    }
  }
}

/** A regular file, by its path or descriptor; undefined if there is none, or if it cannot be looked at. */
function fileAt(place: string | number | undefined) {
  if (place === undefined) return undefined;
  try {
    const stats = typeof place === "number" ? fstatSync(place, { bigint: true }) : statSync(place, { bigint: true });
    return stats.isFile() ? stats : undefined;
  } catch {
    // Reported when it is opened.
    return undefined;
  }
}
