import { fstatSync, type Stats, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { reasonOf } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import { safe } from "../text/safe.ts";
import { Styled } from "../text/styled.ts";

/** What can be written: text, text with styles, or bytes. */
export type Content = string | Styled | Uint8Array;

/** An output stream, with the properties of its terminal if it is one. */
export interface OutputStream {
  /**
   * Writes. A terminal shows as a picture what is not text, newline or tab; only the codes of `Styled` pass. Pipes and
   * files get text and bytes unchanged. Returns false if the stream is full; wait for `flushed`.
   */
  write(content: Content): boolean;
  /** Continues after a write error instead of exiting; later output is dropped. */
  keepGoing(): void;
  /** From now on no write waits for the reader of a pipe: what it has not taken waits in memory. */
  unblock?(): void;
  /** Waits until all output is written. Returns the write error, if any, after `keepGoing`. */
  flushed(): Promise<NodeJS.ErrnoException | undefined>;
  readonly fd?: number | undefined;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

type Terminal = Writable & Pick<OutputStream, "fd" | "isTTY" | "columns" | "rows">;

/** Receives the error of an output that cannot be written, and ends the process. */
export type OnBroken = (error: NodeJS.ErrnoException) => void;

/** Replaces glyphs that a terminal cannot show. */
export type Glyphs = (text: string) => string;
const asTheyAre: Glyphs = (text) => text;

/** The output stream for a stream of Node. */
export function streamed(
  stream: Terminal,
  onBroken: OnBroken = (error) => {
    throw error;
  },
  glyphs: Glyphs = asTheyAre,
): OutputStream {
  let keepsGoing = false;
  let broken: NodeJS.ErrnoException | undefined;
  const shown = terminalText();
  stream.on("error", (error: NodeJS.ErrnoException) => {
    broken ??= error;
    if (!keepsGoing) onBroken(error);
  });
  return {
    write(content) {
      if (keepsGoing && broken !== undefined) return true;
      return stream.write(stream.isTTY === true ? glyphs(shown(content)) : pipedContent(content));
    },
    keepGoing() {
      keepsGoing = true;
    },
    flushed: () =>
      new Promise((resolve) => {
        if (broken !== undefined) resolve(broken);
        // The error event comes after the callbacks of the failed writes.
        else stream.write("", (error) => (error ? setImmediate(() => resolve(broken ?? error)) : resolve(broken)));
      }),
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
export function standardStream(
  fd: 1 | 2,
  open: () => Terminal,
  onBroken: OnBroken,
  glyphs: Glyphs = asTheyAre,
): OutputStream {
  let opened: OutputStream | undefined;
  let keepsGoing = false;
  let broken: NodeJS.ErrnoException | undefined;
  const stream = () => {
    opened ??= streamed(open(), onBroken, glyphs);
    if (keepsGoing) opened.keepGoing();
    return opened;
  };
  if (!isPlain(fd)) return stream();
  return {
    fd,
    write(content) {
      if (broken !== undefined) return true;
      if (opened !== undefined) return opened.write(content);
      const piped = pipedContent(content);
      const bytes = typeof piped === "string" ? Buffer.from(piped) : piped;
      for (let at = 0; at < bytes.length; ) {
        try {
          at += writeSync(fd, bytes, at);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          const { code }: NodeJS.ErrnoException = error;
          // The stream waits until the pipe has room.
          if (code === "EAGAIN") return stream().write(bytes.subarray(at));
          broken ??= error;
          if (!keepsGoing) onBroken(error);
          return true;
        }
      }
      return true;
    },
    keepGoing() {
      keepsGoing = true;
      opened?.keepGoing();
    },
    unblock() {
      const found = fstatSync(fd);
      if (found.isFIFO() || found.isSocket()) stream();
    },
    flushed: async () => broken ?? opened?.flushed(),
  };
}

function pipedContent(content: Content): string | Uint8Array {
  return content instanceof Styled ? content.piped : content;
}

/** Returns a function that makes content safe for a terminal. Characters may be split between pieces of bytes. */
function terminalText(): (content: Content) => string {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  return (content) => {
    if (content instanceof Uint8Array) {
      decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
      return safe(decoder.decode(content, { stream: true }));
    }
    const before = decoder?.decode() ?? "";
    decoder = undefined;
    return before + (typeof content === "string" ? safe(content) : content.shown);
  };
}

/** The reason of a write error: `no space left on device (ENOSPC)`. */
export function brokenReason(error: NodeJS.ErrnoException): string {
  return error.code === "EPIPE" ? "the reader closed the pipe (EPIPE)" : reasonOf(error);
}

/** The failure for output that could not be written. */
export function lostOutput(error: NodeJS.ErrnoException): Failure {
  return new Failure("output", `Could not write the output: ${brokenReason(error)}`, { cause: error });
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

/** Whether what is written is lost: to /dev/null, which Node opens in place of a closed stdout. */
export function isNull({ fd }: Pick<OutputStream, "fd">): boolean {
  const nothing = statSync("/dev/null", { throwIfNoEntry: false });
  return fd !== undefined && nothing?.isCharacterDevice() === true && fstatSync(fd).rdev === nothing.rdev;
}

/** The null device is a character device like terminals, with the major number of memory devices. */
function isNullDevice(found: Stats): boolean {
  return found.isCharacterDevice() && found.rdev >> 8 === 1;
}
