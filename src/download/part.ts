import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writevSync,
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
  /** Bytes that are there. */
  readonly length: number;
  readonly identity: Identity | undefined;
  /** Drops what is there and begins anew. */
  begin(identity: Identity): void;
  /** Adds bytes at the end. They are gathered, and reach the disk at the latest with `flush`. */
  append(piece: Buffer): void;
  flush(): void;
  close(): void;
  /** Removes the part and what is known of it. */
  remove(): void;
}

/** One write for so many bytes: a write costs something by itself, and more when its bytes have left the processor's cache. */
const gathered = 256 * 1024;

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
  let waiting: Buffer[] = [];
  let weight = 0;

  if (identity !== undefined) {
    fd = openRegular(path);
    length = fd === undefined ? 0 : fstatSync(fd).size;
    if (fd === undefined || (identity.total !== undefined && length > identity.total)) remove();
  }

  function flush(): void {
    let pieces = waiting;
    waiting = [];
    weight = 0;
    while (pieces.length > 0 && fd !== undefined) {
      let written = writevSync(fd, pieces, length);
      length += written;
      let first = 0;
      for (; first < pieces.length && written >= (pieces[first]?.length ?? 0); first += 1) {
        written -= pieces[first]?.length ?? 0;
      }
      pieces = pieces.slice(first);
      if (written > 0 && pieces[0] !== undefined) pieces[0] = pieces[0].subarray(written);
    }
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
    waiting = [];
    weight = 0;
    close();
    identity = undefined;
    length = 0;
    // The bytes go first: a note without them does no harm.
    rmSync(path, { force: true });
    rmSync(note, { force: true });
  }

  return {
    path,
    get length() {
      return length + weight;
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
      waiting.push(piece);
      weight += piece.length;
      if (weight >= gathered) flush();
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
    if (fstatSync(fd).isFile()) return fd;
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
