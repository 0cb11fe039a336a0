import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";

/** What is known of the file that a part belongs to: another one must never be spliced onto it. */
export interface Identity {
  /** Names the thing itself: server, repository, id and time of change. */
  readonly of: string;
  /** Bytes of the whole, where the server said so. */
  readonly total: number | undefined;
  /** A strong ETag, or the time of change, for `If-Range`. */
  readonly validator: string | undefined;
}

/** A download under way on disk: the bytes so far, and beside them a small file that says what they are of. */
export interface Part {
  readonly path: string;
  /** Names the thing that it is a part of, as in its `Identity`. */
  readonly of: string;
  /** Bytes that are there. */
  readonly length: number;
  readonly identity: Identity | undefined;
  /** Drops what is there and begins anew. */
  begin(identity: Identity): void;
  /** Adds bytes at the end. Few are gathered, and reach the disk at the latest with `flush`. */
  append(piece: Buffer): void;
  flush(): void;
  close(): void;
  /** Removes the part and what is known of it. */
  remove(): void;
}

/** So many bytes are one write: a write costs something by itself. */
const gathered = 256 * 1024;
const worthWriting = 64 * 1024;

/**
 * Opens the part at a path, that of an earlier run when it belongs to the same thing. The note is written before the
 * first byte and after the old bytes are gone, so that a run that is killed at any moment never leaves a part with the
 * note of another file. All of it is synchronous: the bytes of an answer wait for nothing else.
 */
export function openPart(path: string, of: string): Part {
  const note = `${path}.json`;
  let identity = readNote(note, of);
  let fd: number | undefined;
  let length = 0;
  let room: Buffer | undefined;
  let waiting = 0;

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
    const pending = waiting;
    waiting = 0;
    if (room !== undefined && pending > 0) write(room.subarray(0, pending));
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
    waiting = 0;
    close();
    identity = undefined;
    length = 0;
    // The bytes go first: a note without them does no harm.
    rmSync(path, { force: true });
    rmSync(note, { force: true });
  }

  return {
    path,
    of,
    get length() {
      return length + waiting;
    },
    get identity() {
      return identity;
    },
    begin(next) {
      remove();
      rmSync(`${note}.new`, { force: true });
      writeFileSync(`${note}.new`, `${JSON.stringify(next)}\n`, { flag: "wx" });
      renameSync(`${note}.new`, note);
      fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o666);
      identity = next;
    },
    append(piece) {
      if (waiting + piece.length > gathered) flush();
      if (waiting === 0 && piece.length >= worthWriting) write(piece);
      else {
        room ??= Buffer.allocUnsafeSlow(gathered);
        waiting += piece.copy(room, waiting);
      }
    },
    flush,
    close,
    remove,
  };
}

/** Not there on Windows. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** A part of an earlier run, opened for writing; undefined when there is none, or something else of that name. */
function openRegular(path: string): number | undefined {
  try {
    const fd = openSync(path, constants.O_WRONLY | noFollow);
    const facts = fstatSync(fd);
    // With a second name it may be the finished file of a run that was killed, or anything else.
    if (facts.isFile() && facts.nlink === 1) return fd;
    closeSync(fd);
  } catch {
    // Not there, a link, or not ours to write: begun anew, which says what is wrong.
  }
  return undefined;
}

function readNote(note: string, of: string): Identity | undefined {
  try {
    const { of: known, total, validator } = JSON.parse(readFileSync(note, "utf8")) as Partial<Record<string, unknown>>;
    if (known !== of) return undefined;
    return {
      of,
      total: typeof total === "number" ? total : undefined,
      validator: typeof validator === "string" ? validator : undefined,
    };
  } catch {
    // None, or not one of ours: nothing is known of the part then.
    return undefined;
  }
}
