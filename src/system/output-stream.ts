import { fstatSync, type Stats, writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** An output stream, with the properties of its terminal if it is one. */
export interface OutputStream {
  /** Writes. Returns false if the stream is full; wait for its `drain` event. */
  write(content: string | Uint8Array): boolean;
  /** The stream of Node, opened on first use. */
  stream(): Writable;
  readonly fd?: number | undefined;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

type Terminal = Writable & Pick<OutputStream, "fd" | "isTTY" | "columns" | "rows">;

/** The output stream for a stream of Node. */
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
 * stdout or stderr on POSIX systems. Files and pipes are written synchronously without a stream, as Node does, because
 * opening a stream takes longer than the rest of a short command. `open` opens the stream for terminals, and for
 * non-blocking pipes that are full.
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
          // The stream waits or reports the error.
          return stream().write(bytes.subarray(at));
        }
      }
      return true;
    },
    stream: () => stream().stream(),
  };
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
