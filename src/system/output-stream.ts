import { fstatSync, type Stats, writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** An output stream, with the properties of its terminal if it is one. */
export interface OutputStream {
  /** Writes. Returns false if the stream is full; wait for `flushed`. */
  write(content: string | Uint8Array): boolean;
  /** Continues after a write error instead of exiting; later output is dropped. */
  keepGoing(): void;
  /** Waits until all output is written. Returns the write error, if any, after `keepGoing`. */
  flushed(): Promise<NodeJS.ErrnoException | undefined>;
  /** The stream of Node, opened on first use. */
  stream(): Writable;
  readonly fd?: number | undefined;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

type Terminal = Writable & Pick<OutputStream, "fd" | "isTTY" | "columns" | "rows">;

/** Receives the error of an output that cannot be written, and ends the process. */
export type OnBroken = (error: NodeJS.ErrnoException) => void;

/** The output stream for a stream of Node. */
export function streamed(
  stream: Terminal,
  onBroken: OnBroken = (error) => {
    throw error;
  },
): OutputStream {
  let keepsGoing = false;
  let broken: NodeJS.ErrnoException | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    broken ??= error;
    if (!keepsGoing) onBroken(error);
  });
  return {
    write: (content) => (keepsGoing && broken !== undefined) || stream.write(content),
    keepGoing() {
      keepsGoing = true;
    },
    flushed: () =>
      new Promise((resolve) => {
        if (broken !== undefined) resolve(broken);
        // The error event comes after the callbacks of the failed writes.
        else stream.write("", (error) => (error ? setImmediate(() => resolve(broken ?? error)) : resolve(broken)));
      }),
    stream: () => stream,
    get fd() {
      return stream.fd;
    },
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}

/**
 * stdout or stderr on POSIX systems. Files and pipes are written synchronously without a stream, as Node does, because
 * opening a stream takes longer than the rest of a short command. `open` opens the stream for terminals, and for
 * non-blocking pipes that are full.
 */
export function standardStream(fd: 1 | 2, open: () => Terminal, onBroken: OnBroken): OutputStream {
  let opened: OutputStream | undefined;
  let keepsGoing = false;
  const stream = () => {
    opened ??= streamed(open(), onBroken);
    if (keepsGoing) opened.keepGoing();
    return opened;
  };
  if (!isPlain(fd)) return stream();
  return {
    fd,
    write(content) {
      if (opened !== undefined) return opened.write(content);
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length; ) {
        try {
          at += writeSync(fd, bytes, at);
        } catch {
          // The stream waits or reports the error.
          return stream().write(bytes.subarray(at));
        }
      }
      return true;
    },
    keepGoing() {
      keepsGoing = true;
      opened?.keepGoing();
    },
    flushed: async () => opened?.flushed(),
    stream: () => stream().stream(),
  };
}

/** The reason of a write error: `no space left on device (ENOSPC)`. */
export function brokenReason(error: NodeJS.ErrnoException): string {
  if (error.code === "EPIPE") return "the reader closed the pipe (EPIPE)";
  return error.message.replace(/^[A-Z]+: (.*), \w+$/, `$1 (${error.code})`);
}

/** Whether a file descriptor is a file, a pipe or the null device, not a terminal. */
function isPlain(fd: number): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFile() || found.isFIFO() || found.isSocket() || isNullDevice(found);
  } catch {
    return false;
  }
}

/** The null device is a character device like terminals, with the major number of memory devices. */
function isNullDevice(found: Stats): boolean {
  return found.isCharacterDevice() && found.rdev >> 8 === 1;
}
