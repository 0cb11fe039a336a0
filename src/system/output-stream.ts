import { fstatSync, type Stats, writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** Where output goes, and what is known of the terminal behind it. */
export interface OutputStream {
  /** Writes; false when the other side is behind: `flushed` says when it no longer is. */
  write(content: string | Uint8Array): boolean;
  /** Lets the process go on when this output cannot be written: what is written from then on is dropped. */
  keepGoing(): void;
  /** Waits until all is written; the error that stopped it after `keepGoing`. */
  flushed(): Promise<NodeJS.ErrnoException | undefined>;
  /** The stream itself, for libraries and for waiting; made when it is asked for. */
  stream(): Writable;
  readonly fd?: number | undefined;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

type Terminal = Writable & Pick<OutputStream, "fd" | "isTTY" | "columns" | "rows">;

/** Told why an output cannot be written; it ends the process. */
export type OnBroken = (error: NodeJS.ErrnoException) => void;

/** The output stream that a stream is. */
export function streamed(
  stream: Terminal,
  onBroken: OnBroken = (error) => {
    throw error;
  },
): OutputStream {
  let goesOn = false;
  let broken: NodeJS.ErrnoException | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    broken ??= error;
    if (!goesOn) onBroken(error);
  });
  return {
    write: (content) => (goesOn && broken !== undefined) || stream.write(content),
    keepGoing() {
      goesOn = true;
    },
    flushed: () =>
      new Promise((resolve) => {
        if (broken !== undefined) resolve(broken);
        // The error itself comes after those whose writes it stopped have heard of it.
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
 * stdout or stderr. To a file or a pipe it is written without a stream, as Node's own would write there: making one
 * takes longer than all else that a short command does. `open` makes it, for terminals and for a pipe that is full and
 * does not let us wait. For POSIX systems: elsewhere pipes are no matter of waiting.
 */
export function standardStream(fd: 1 | 2, open: () => Terminal, onBroken: OnBroken): OutputStream {
  let opened: OutputStream | undefined;
  let goesOn = false;
  const stream = () => {
    opened ??= streamed(open(), onBroken);
    if (goesOn) opened.keepGoing();
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
          // The stream waits, or says in its own way what is wrong.
          return stream().write(bytes.subarray(at));
        }
      }
      return true;
    },
    keepGoing() {
      goesOn = true;
      opened?.keepGoing();
    },
    flushed: async () => opened?.flushed(),
    stream: () => stream().stream(),
  };
}

/** Why an output cannot be written: `no space left on device (ENOSPC)`. */
export function brokenReason(error: NodeJS.ErrnoException): string {
  if (error.code === "EPIPE") return "its reader has closed it (EPIPE)";
  return error.message.replace(/^[A-Z]+: (.*), \w+$/, `$1 (${error.code})`);
}

/** Whether it can be written to at once: a file, a pipe, or the null device, which is a character device as terminals are. */
function isPlain(fd: number): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFile() || found.isFIFO() || found.isSocket() || isNullDevice(found);
  } catch {
    return false;
  }
}

/** It is the first of the memory's devices. */
function isNullDevice(found: Stats): boolean {
  return found.isCharacterDevice() && found.rdev >> 8 === 1;
}
