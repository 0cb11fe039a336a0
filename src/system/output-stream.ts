import { fstatSync, type Stats, writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** Where output goes, and what is known of the terminal behind it. */
export interface OutputStream {
  /** Writes; false when the other side is behind: the stream's `drain` says when it no longer is. */
  write(content: string | Uint8Array): boolean;
  /** The stream itself, for libraries and for waiting; made when it is asked for. */
  stream(): Writable;
  readonly fd?: number | undefined;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

type Terminal = Writable & Pick<OutputStream, "fd" | "isTTY" | "columns" | "rows">;

/** The output stream that a stream is. */
export function streamed(stream: Terminal): OutputStream {
  return {
    write: (content) => stream.write(content),
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
export function standardStream(fd: 1 | 2, open: () => Terminal): OutputStream {
  let opened: OutputStream | undefined;
  const stream = () => {
    opened ??= streamed(open());
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
    stream: () => stream().stream(),
  };
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
