import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import type { Readable } from "node:stream";
import { diskFailure, hasCode } from "../failure/disk.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { followLinks, fullPath, type Place } from "../system/files.ts";
import type { OutputStream } from "../system/output-stream.ts";
import { Styled } from "../text/styled.ts";
import { scratchPath } from "./scratch.ts";
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

/** A file that is being written. */
export interface Target {
  /** The name that it has until it is published. */
  readonly path: string;
  /** Whether there was no file. */
  readonly isNew: boolean;
  readonly sink: Sink;
  readonly close: () => void;
  /** Closes it, and puts it in the place of the file that was there. */
  readonly publish: () => void;
  /** Closes and removes it, if it was not published. */
  readonly discard: () => void;
}

/**
 * Opens a file beside the one that it replaces when it is published; with `grows`, a new one has its name from the start.
 * A link is followed, and a pipe or a device is written to. Without `syncs`, the caller waits for the disk. Throws file
 * system errors.
 */
export function openTarget(
  named: string,
  { grows = false, syncs = true }: { readonly grows?: boolean; readonly syncs?: boolean } = {},
): Target {
  const there = statSync(named, { throwIfNoEntry: false });
  const isFile = (there?.isFile() ?? true) && !descriptors.test(named);
  const path = isFile ? followLinks(named) : named;
  const isBeside = isFile && (there !== undefined || !grows);
  if (there !== undefined) accessSync(path, constants.W_OK);
  const written = isBeside ? scratchPath(path) : path;
  const fd = openSync(written, isBeside ? "wx" : "w");
  if (isBeside && there !== undefined) keepOwner(fd, there);
  let [isClosed, isPublished] = [false, false];

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    try {
      if (isBeside && syncs) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  return {
    path: written,
    isNew: there === undefined,
    sink: fdSink(fd),
    close,
    publish: () => {
      close();
      if (isBeside) renameSync(written, path);
      isPublished = true;
    },
    discard: () => {
      if (isPublished) return;
      close();
      if (isFile) rmSync(written, { force: true });
    },
  };
}

/** What names an open file, which a shell may write to as well. */
const descriptors = /^\/(?:dev\/(?:stdout|stderr|fd\/)|proc\/)/;

function keepOwner(fd: number, { uid, gid, mode }: Stats): void {
  try {
    fchownSync(fd, uid, gid);
  } catch (error) {
    if (!hasCode(error, "EPERM")) throw error;
  }
  fchmodSync(fd, mode & 0o777);
}

/**
 * Runs `work` with a sink for `-o FILE`, or for stdout, where `json` says that JSON is written. A file that exists is
 * replaced at the end: it stays as it was if `work` fails, or returns false because nothing sound was written; a new one
 * is then removed, but one that an interruption ends is kept. Returns quietly if the reader of stdout or of a pipe closes it.
 */
export async function withSink(
  system: { readonly stdout: OutputStream; readonly signal: AbortSignal } & Place,
  file: string | undefined,
  work: (sink: Sink) => Promise<unknown>,
  { json = false }: { readonly json?: boolean } = {},
): Promise<void> {
  refuseFolder(file);
  try {
    if (file === undefined || file === "-") {
      const { stdout } = system;
      const { fd } = stdout;
      await work(fd !== undefined && stdout.isTTY !== true ? fdSink(fd) : streamSink(stdout, json));
    } else await withFile(fullPath(file, system), file, system.signal, work);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/** Throws a usage error if encoded readings would go to a terminal. */
export function refuseTerminal({ stdout }: { readonly stdout: OutputStream }, output = "-"): void {
  if (output !== "-" || stdout.isTTY !== true) return;
  throw new UsageError("Cannot write encoded readings to a terminal", "Use -o FILE, or redirect stdout.");
}

/** Throws a usage error for an empty name of an output, as of a variable that is not set: it would be the current directory. */
export function refuseEmpty(output: string | undefined): void {
  if (output === "") throw new UsageError("The name of the output is empty", "Pass the name of a file.");
}

/** The same, and for one that ends like that of a directory: there is one file. */
export function refuseFolder(output: string | undefined): void {
  refuseEmpty(output);
  if (output === undefined || !/[/\\]$/.test(output)) return;
  throw new UsageError(`${output} is a directory`, "Pass the name of a file.");
}

async function withFile(
  path: string,
  file: string,
  signal: AbortSignal,
  work: (sink: Sink) => Promise<unknown>,
): Promise<void> {
  let target: Target | undefined;
  const reported = (change: (target: Target) => void) => {
    try {
      target ??= openTarget(path, { grows: true });
      change(target);
    } catch (error) {
      throw cannotWrite(error, file);
    }
  };
  const write = (bytes: Uint8Array) => reported(({ sink }) => sink.write(bytes));
  try {
    if ((await work({ write, drained: () => undefined })) !== false) reported(({ publish }) => publish());
  } catch (error) {
    if (signal.aborted && target?.isNew === true) target.publish();
    throw error;
  } finally {
    target?.discard();
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
