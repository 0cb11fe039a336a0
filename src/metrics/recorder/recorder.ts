import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  realpathSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename } from "node:path";
import { diskFailure, reasonOf } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { type Lock, lock } from "../../system/lock.ts";
import { sizeText } from "../../text/format.ts";
import { frameHead } from "../framing/framing.ts";
import { slack } from "../wire/block.ts";
import { openIndex, type RecordingIndex } from "./index-beside.ts";
import { inspectRecording, isWellFormed } from "./mend.ts";
import { type Rotation, removeOldest, rotateAway } from "./rotation.ts";

/** How a recorder writes its file. */
export interface RecorderOptions {
  readonly path: string;
  /** The file as given on the command line. */
  readonly name: string;
  readonly rotate?: Rotation | undefined;
  /** How many rotated files to keep; undefined keeps all. */
  readonly keep?: number | undefined;
  /** Called with the path of each rotated file. */
  readonly onRotated?: ((file: string) => void) | undefined;
  /** Whether the sender learns that a reading was not written; for warnings. */
  readonly refuses?: boolean;
  readonly now: () => Date;
  /** Prints a warning: a repaired file, a full disk. */
  readonly warn: (message: string) => void;
  /** Writes some bytes from `at` and returns their number; for tests. */
  readonly write?: (fd: number, bytes: Uint8Array, at: number) => number;
}

/** Appends readings to a file, each preceded by its varint length. */
export interface Recorder {
  /** Appends a reading. If it cannot be written, counts it as lost and returns why: `no space left on device (ENOSPC)`. */
  readonly record: (encoded: Uint8Array) => string | undefined;
  /** Starts a new file if it is time. */
  readonly tick: () => void;
  /** Throws a `Failure` if the file was removed: the readings in it are lost. Mends it if it was truncated. */
  readonly check: () => void;
  /** Reopens the path, after another program moved the file. */
  readonly reopen: () => void;
  readonly close: () => void;
  /** How many readings were not written. */
  readonly lost: () => number;
}

/**
 * Opens a recording to append to it. Removes the cut reading after others or the zero bytes at its end that a crash left,
 * and says so; a file with damage before more data is renamed by time and kept. Throws a `Failure` for a file that another
 * process records to, that is not a recording or has no complete reading, or that cannot be written.
 */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const path = realPath(options);
  const held: Lock[] = [];
  try {
    // The path, because the file changes, and the file, because it may have another path: a hard link.
    for (const name of [path, fileAt(path)]) {
      if (name === undefined) continue;
      const one = await lock(`recording ${name}`);
      if (one === undefined) throw inUse(options.name);
      held.push(one);
    }
    return createRecorder({ ...options, path }, held);
  } catch (error) {
    for (const one of held) one.release();
    throw diskFailure(error, options.name) ?? error;
  }
}

/** The file that is recorded to: its bytes, and those before what a failed write left. */
interface Opened {
  readonly fd: number;
  size: number;
  sound: number;
  readonly regular: boolean;
  /** When its first reading was recorded, in milliseconds since 1970. */
  since: number;
  readonly index?: RecordingIndex;
}

function inUse(name: string): Failure {
  return new Failure("file_in_use", `Another process is recording to ${name}`, {
    hint: "Record to another file, or stop the other process.",
  });
}

/** What identifies a regular file whatever its path; undefined for a pipe or a device. */
function fileAt(place: string | number): string | undefined {
  const stats = typeof place === "number" ? fstatSync(place, { bigint: true }) : statSync(place, { bigint: true });
  return stats.isFile() ? `file ${stats.dev}:${stats.ino}` : undefined;
}

/**
 * The path without links, so that a file has the same lock through all of them. Creates a new file first, because only what
 * exists has a real path. A pipe may have none: `/dev/stdout`.
 */
function realPath({ path, name }: RecorderOptions): string {
  try {
    if (!existsSync(path)) closeSync(openSync(path, "a"));
    return statSync(path).isFile() ? realpathSync(path) : path;
  } catch (error) {
    throw diskFailure(error, name) ?? error;
  }
}

const writeSome = (fd: number, bytes: Uint8Array, at: number) => writeSync(fd, bytes, at);

/** `held` are the locks of the path and of the file that is there now. */
function createRecorder(options: RecorderOptions, [pathLock, firstLock]: readonly Lock[]): Recorder {
  const { path, name, rotate, keep, refuses = false, now, warn, write = writeSome } = options;
  const period = rotate !== undefined && "milliseconds" in rotate ? rotate.milliseconds : undefined;
  let [lost, lostNow] = [0, 0];
  let fileLock = Promise.resolve(firstLock);
  const first = fileAt(path);
  let file = open();
  if (fileAt(file.fd) !== first) lockFile();

  /** Locks the file that has taken the place of another, and releases that. */
  function lockFile(): void {
    const before = fileLock;
    const identity = fileAt(file.fd);
    fileLock = identity === undefined ? Promise.resolve(undefined) : lock(`recording ${identity}`);
    void fileLock.then((taken) => {
      if (taken === undefined && identity !== undefined) warn(inUse(name).message);
    });
    void before.then((one) => one?.release());
  }

  /** Opens the file, and mends it. One that is `known` as a recording may have no complete reading. */
  function open(known = false): Opened {
    let fd = openSync(path, "a+");
    const { size, mtimeMs } = fstatSync(fd);
    if (!fstatSync(fd).isFile()) return { fd, size: 0, sound: 0, regular: false, since: now().getTime() };
    const index = openIndex(fd, path);
    const { end, readings, rest } = inspectRecording(fd, (bytes, view, place) => {
      const isSound = isWellFormed(bytes, view, place);
      if (isSound) index.add(bytes, view, place);
      return isSound;
    });
    if (!known && readings === 0 && (rest === "damage" || rest === "cut")) {
      closeSync(fd);
      throw notRecording(rest);
    }
    index.keepTo(end);
    if (rest === "damage") {
      closeSync(fd);
      index.close();
      const kept = basename(rotateAway(path, now()));
      warn(
        `${name} is damaged after ${readings} readings, at byte ${end}; renamed it to ${kept}, and started a new file`,
      );
      fd = openSync(path, "a+");
      return { fd, size: 0, sound: 0, regular: true, since: now().getTime(), index: openIndex(fd, path) };
    }
    if (rest !== "nothing") {
      ftruncateSync(fd, end);
      const what = rest === "cut" ? "an incomplete reading" : "zero bytes";
      warn(`Repaired ${name}: removed ${what} (${sizeText(size - end)}) after ${readings} readings`);
    }
    return { fd, size: end, sound: end, regular: true, since: end === 0 ? now().getTime() : mtimeMs, index };
  }

  /** A short file may look like the start of a reading and be something else: only its owner can tell. */
  function notRecording(rest: "damage" | "cut"): Failure {
    const what = rest === "cut" ? "has no complete reading" : "is not a recording";
    const crash = rest === "cut" ? " If an interrupted recording left it, remove it." : "";
    const hint = `Record to another file, or move this one away.${crash}`;
    return new Failure("not_a_recording", `${name} exists, but ${what}`, { hint });
  }

  /** Mends the file after another program has truncated it, and says so. */
  function mendTruncated(): void {
    if (!file.regular) return;
    const { size } = fstatSync(file.fd);
    if (size >= file.sound) return;
    const sizes = `from ${sizeText(file.sound)} to ${sizeText(size)}`;
    warn(`${time()}: another program truncated ${name} ${sizes}; what it removed is lost`);
    // The index has more than there is.
    file.index?.close();
    replaceFile(true);
  }

  function record(encoded: Uint8Array): string | undefined {
    const head = frameHead("delimited", encoded.length);
    const padded = Buffer.concat([head, encoded, new Uint8Array(slack)]);
    const framed = padded.subarray(0, head.length + encoded.length);
    if (rotate !== undefined && "bytes" in rotate && file.size + framed.length > rotate.bytes) startNew();
    tick();
    if (file.size === 0) file.since = now().getTime();
    try {
      mendTruncated();
      // What a failed write left, if it could not be removed then.
      if (file.size > file.sound) ftruncateSync(file.fd, file.sound);
      file.size = file.sound;
      while (file.size < file.sound + framed.length) file.size += write(file.fd, framed, file.size - file.sound);
      const at = file.sound;
      file.sound = file.size;
      const view = new DataView(padded.buffer, padded.byteOffset, padded.length);
      file.index?.add(padded, view, { frame: 0, start: head.length, end: framed.length, at });
    } catch (error) {
      lose(error);
      return reasonOf(error);
    }
    if (lostNow === 0) return undefined;
    const what = refuses ? "call" : "reading";
    const lost = `${lostNow} ${lostNow === 1 ? `${what} was` : `${what}s were`} ${refuses ? "refused" : "lost"}`;
    warn(`${time()}: recording to ${name} again; ${lost}`);
    lostNow = 0;
    return undefined;
  }

  /** Counts a reading as lost, and removes the part of it that was written. */
  function lose(error: unknown): void {
    const failure = diskFailure(error, name);
    if (failure === undefined) throw error;
    lost += 1;
    lostNow += 1;
    const fate = refuses ? "refused" : "lost";
    if (lostNow === 1) warn(`${time()}: ${failure.message}; readings are ${fate} until this is resolved`);
    if (!file.regular || file.size === file.sound) return;
    try {
      ftruncateSync(file.fd, file.sound);
      file.size = file.sound;
    } catch (again) {
      // The next reading tries again.
      if (diskFailure(again, name) === undefined) throw again;
    }
  }

  const time = () => now().toISOString().replace(/\.\d+/, "");

  function tick(): void {
    if (period !== undefined && Math.floor(file.since / period) !== Math.floor(now().getTime() / period)) startNew();
  }

  function check(): void {
    if (file.regular && fstatSync(file.fd).nlink === 0) {
      const hint = `To replace ${name}, rename it and send SIGHUP.`;
      throw new Failure("recording_removed", `${name} was removed, and the readings in it are lost`, { hint });
    }
    mendTruncated();
  }

  function startNew(): void {
    if (!file.regular || file.sound === 0) {
      file.since = now().getTime();
      return;
    }
    try {
      fsyncSync(file.fd);
      file.index?.end();
      // Another program may have moved it: that one is not ours to rename.
      const rotated = isAtPath() ? rotateAway(path, now()) : undefined;
      replaceFile();
      if (keep !== undefined) removeOldest(path, keep, now());
      if (rotated !== undefined) options.onRotated?.(rotated);
    } catch (error) {
      const failure = error instanceof Failure ? error : diskFailure(error, name);
      if (failure === undefined) throw error;
      file.since = now().getTime();
      warn(`${time()}: cannot rotate: ${failure.message}`);
    }
  }

  function replaceFile(known = false): void {
    const before = fileAt(file.fd);
    const next = open(known);
    file.index?.close();
    closeSync(file.fd);
    file = next;
    if (fileAt(file.fd) !== before) lockFile();
  }

  function isAtPath(): boolean {
    if (!existsSync(path)) return false;
    const other = openSync(path, "r");
    const [one, two] = [fstatSync(other), fstatSync(file.fd)];
    closeSync(other);
    return one.ino === two.ino && one.dev === two.dev;
  }

  function reopen(): void {
    if (!file.regular || isAtPath()) return;
    try {
      replaceFile();
    } catch (error) {
      const failure = error instanceof Failure ? error : diskFailure(error, name);
      if (failure === undefined) throw error;
      warn(`${time()}: cannot open ${name} again; still recording to the moved file: ${failure.message}`);
    }
  }

  function close(): void {
    try {
      if (file.regular) fsyncSync(file.fd);
      file.index?.close();
    } finally {
      closeSync(file.fd);
      pathLock?.release();
      void fileLock.then((one) => one?.release());
    }
  }

  return { record, tick, check, reopen, close, lost: () => lost };
}
