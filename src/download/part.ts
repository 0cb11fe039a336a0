import { closeSync, fstatSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { openBeside, readBeside } from "../system/open-beside.ts";

/** Identifies the file that a part belongs to, so that bytes of another file are never appended to it. */
export interface Identity {
  /** Names the artifact: server, repository, id and modification time. */
  readonly source: string;
  /** Size of the whole file in bytes, if the server announced it. */
  readonly total: number | undefined;
  /** A strong ETag or the modification time, for `If-Range`. */
  readonly validator: string | undefined;
}

/** A partial download on disk: the bytes so far, and a JSON file beside them with the identity of the file. */
export interface Part {
  readonly path: string;
  /** The source that the part was opened for; its identity has the same. */
  readonly source: string;
  /** Bytes received so far. */
  readonly length: number;
  readonly identity: Identity | undefined;
  /** Removes what was received and starts a new file. */
  start(identity: Identity): void;
  /** Adds bytes at the end. Small pieces are buffered until `flush`. */
  append(piece: Buffer): void;
  flush(): void;
  close(): void;
  /** Removes the part and its identity. */
  remove(): void;
}

/** Size of the write buffer in bytes, and of the pieces that are written without it. */
const bufferSize = 256 * 1024;
const unbufferedSize = 64 * 1024;

/**
 * Opens the part at a path, and continues that of an earlier run if it has the same source. The identity is written
 * before the first byte and after the old bytes are removed, so that a killed process never leaves a part with the
 * identity of another file. Writes are synchronous, which is fastest for the pieces of one response after another.
 */
export function openPart(path: string, source: string): Part {
  const identityPath = `${path}.json`;
  let identity = readIdentity(identityPath, source);
  let fd: number | undefined;
  let length = 0;
  let buffer: Buffer | undefined;
  let buffered = 0;

  if (identity !== undefined) {
    fd = openRegular(path);
    length = fd === undefined ? 0 : fstatSync(fd).size;
    if (fd === undefined || (identity.total !== undefined && length > identity.total)) remove();
  }

  function write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && fd !== undefined; ) {
      const written = writeSync(fd, bytes, at, bytes.length - at, length);
      at += written;
      length += written;
    }
  }

  function flush(): void {
    const pending = buffered;
    buffered = 0;
    if (buffer !== undefined && pending > 0) write(buffer.subarray(0, pending));
  }

  function close(): void {
    if (fd === undefined) return;
    const open = fd;
    try {
      flush();
    } finally {
      fd = undefined;
      closeSync(open);
    }
  }

  function remove(): void {
    buffered = 0;
    close();
    identity = undefined;
    length = 0;
    // The bytes first: an identity without them does no harm.
    rmSync(path, { force: true });
    rmSync(identityPath, { force: true });
  }

  return {
    path,
    source,
    get length() {
      return length + buffered;
    },
    get identity() {
      return identity;
    },
    start(next) {
      remove();
      rmSync(`${identityPath}.new`, { force: true });
      writeFileSync(`${identityPath}.new`, `${JSON.stringify(next)}\n`, { flag: "wx" });
      renameSync(`${identityPath}.new`, identityPath);
      fd = openBeside(path, "wx");
      identity = next;
    },
    append(piece) {
      if (buffered + piece.length > bufferSize) flush();
      if (buffered === 0 && piece.length >= unbufferedSize) write(piece);
      else {
        buffer ??= Buffer.allocUnsafeSlow(bufferSize);
        buffered += piece.copy(buffer, buffered);
      }
    },
    flush,
    close,
    remove,
  };
}

/** Opens the part of an earlier run for writing; undefined if there is none, or if the path is not a regular file. */
function openRegular(path: string): number | undefined {
  try {
    const fd = openBeside(path, "r+");
    // With a second link it may be the finished file of a killed process, or any other file.
    if (fstatSync(fd).nlink === 1) return fd;
    closeSync(fd);
  } catch {
    // Missing, a symbolic link, or not writable: the download starts over, which reports the error if it persists.
  }
  return undefined;
}

function readIdentity(path: string, source: string): Identity | undefined {
  try {
    const {
      source: known,
      total,
      validator,
    } = JSON.parse(readBeside(path).toString()) as Partial<Record<string, unknown>>;
    if (known !== source) return undefined;
    return {
      source,
      total: typeof total === "number" ? total : undefined,
      validator: typeof validator === "string" ? validator : undefined,
    };
  } catch {
    // Missing or invalid: then the part cannot be identified.
    return undefined;
  }
}
