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
import { createBlock } from "../wire/block.ts";
import { lengthSize, writeVarint } from "../wire/write-fields.ts";
import { openIndex } from "./index-beside.ts";
import { inspectRecording, isSound } from "./mend.ts";
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

/** A reading, or what sends readings and waits for an answer. */
export interface Call {
  /** Why it, or one of its readings, was not written: `no space left on device (ENOSPC)`. */
  problem?: string;
}

/** A reading that was not written yet: where it is, and its length before it. */
interface Pending {
  readonly frame: number;
  readonly start: number;
  readonly end: number;
  readonly call: Call | undefined;
}

// More is written at once.
const pendingSize = 256 * 1024;

/**
 * Opens a recording to append to it. Removes the cut reading after others or the zero bytes at its end that a crash left,
 * and says so; a file with damage before more data is renamed by time and kept. Throws a `Failure` for a file that another
 * process records to, that is not a recording or has no complete reading, or that cannot be written.
 */
export async function openRecorder(options: RecorderOptions) {
  const { name } = options;
  let held: Lock | undefined;
  try {
    const path = realPath(options.path);
    held = await lock(`recording ${path}`);
    if (held !== undefined) return createRecorder({ ...options, path }, held);
    const hint = "Record to another file, or stop the other process.";
    throw new Failure("file_in_use", `Another process is recording to ${name}`, { hint });
  } catch (error) {
    held?.release();
    throw diskFailure(error, name) ?? error;
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
  readonly index?: ReturnType<typeof openIndex>;
}

/**
 * The path without links, so that a file has the same lock through all of them. Creates a new file first, because only what
 * exists has a real path. A pipe may have none: `/dev/stdout`.
 */
function realPath(path: string): string {
  if (!existsSync(path)) closeSync(openSync(path, "a"));
  return statSync(path).isFile() ? realpathSync(path) : path;
}
const writeSome = (fd: number, bytes: Uint8Array, at: number) => writeSync(fd, bytes, at);

function createRecorder(options: RecorderOptions, held: Lock) {
  const { path, name, rotate, keep, refuses = false, now, warn, write = writeSome } = options;
  const period = rotate !== undefined && "milliseconds" in rotate ? rotate.milliseconds : undefined;
  let [lost, lostNow] = [0, 0];
  const pending = { block: createBlock(pendingSize), size: 0, messages: [] as Pending[] };
  let file = open();

  /** Opens the file, and mends it. One that is `known` as a recording may have no complete reading. */
  function open(known = false): Opened {
    let fd = openSync(path, "a+");
    const { size, mtimeMs } = fstatSync(fd);
    if (!fstatSync(fd).isFile()) return { fd, size: 0, sound: 0, regular: false, since: now().getTime() };
    const index = openIndex(fd, path);
    const { end, readings, rest } = inspectRecording(fd, (bytes, view, place) => {
      if (!isSound(bytes, view, place)) return false;
      index.add(bytes, view, place);
      return true;
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

  /** Takes the reading from `start` to `end`, which `flush` appends with others: a write for each takes most of the time. */
  function add(bytes: Uint8Array, start: number, end: number, call?: Call): void {
    const size = lengthSize(end - start) + end - start;
    if (rotate !== undefined && "bytes" in rotate && file.sound + pending.size + size > rotate.bytes) startNew();
    tick();
    if (file.sound + pending.size === 0) file.since = now().getTime();
    if (pending.size + size > pending.block.capacity) {
      flush();
      if (size > pending.block.capacity) pending.block = createBlock(2 * size);
    }
    const frame = pending.size;
    const from = writeVarint(pending.block.view, frame, 0, end - start);
    pending.block.bytes.set(bytes.subarray(start, end), from);
    pending.size += size;
    pending.messages.push({ frame, start: from, end: pending.size, call });
  }

  /** Appends what was added. What cannot be written is counted as lost, and its calls learn why. */
  function flush(): void {
    const { block, size, messages } = pending;
    if (size === 0) return;
    pending.size = 0;
    pending.messages = [];
    let written = 0;
    let problem: unknown;
    try {
      mendTruncated();
      // What a failed write left, if it could not be removed then.
      if (file.size > file.sound) ftruncateSync(file.fd, file.sound);
      file.size = file.sound;
      for (; written < size; file.size = file.sound + written)
        written += write(file.fd, block.bytes.subarray(0, size), written);
    } catch (error) {
      problem = error;
    }
    const from = file.sound;
    const kept = problem === undefined ? messages.length : messages.findIndex(({ end }) => end > written);
    for (const message of messages.slice(0, kept))
      file.index?.add(block.bytes, block.view, { ...message, at: from + message.frame });
    file.sound = from + (messages[kept - 1]?.end ?? 0);
    if (kept > 0 && lostNow > 0) {
      const what = `${lostNow} ${lostNow === 1 ? "reading was" : "readings were"} ${refuses ? "refused" : "lost"}`;
      warn(`${time()}: recording to ${name} again; ${what}`);
      lostNow = 0;
    }
    if (problem !== undefined) lose(problem, messages.slice(kept));
  }

  /** Counts readings as lost, tells their senders, and removes the part of them that was written. */
  function lose(error: unknown, messages: readonly Pending[]): void {
    const failure = diskFailure(error, name);
    if (failure === undefined) throw error;
    const fate = refuses ? "refused" : "lost";
    if (lostNow === 0) warn(`${time()}: ${failure.message}; readings are ${fate} until this is resolved`);
    for (const { call } of messages) if (call !== undefined) call.problem ??= reasonOf(error);
    lost += messages.length;
    lostNow += messages.length;
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

  /** Starts a new file if it is time. */
  function tick(): void {
    if (period !== undefined && Math.floor(file.since / period) !== Math.floor(now().getTime() / period)) startNew();
  }

  /** Throws a `Failure` if the file was removed: the readings in it are lost. Mends it if it was truncated. */
  function check(): void {
    flush();
    if (file.regular && fstatSync(file.fd).nlink === 0) {
      const hint = `To replace ${name}, rename it and send SIGHUP.`;
      throw new Failure("recording_removed", `${name} was removed, and the readings in it are lost`, { hint });
    }
    mendTruncated();
  }

  function startNew(): void {
    flush();
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
    const next = open(known);
    file.index?.close();
    closeSync(file.fd);
    file = next;
  }

  function isAtPath(): boolean {
    if (!existsSync(path)) return false;
    const other = openSync(path, "r");
    const [one, two] = [fstatSync(other), fstatSync(file.fd)];
    closeSync(other);
    return one.ino === two.ino && one.dev === two.dev;
  }

  /** Reopens the path, after another program moved the file. */
  function reopen(): void {
    flush();
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
      flush();
      if (file.regular) fsyncSync(file.fd);
      file.index?.close();
    } finally {
      closeSync(file.fd);
      held.release();
    }
  }

  return { add, flush, tick, check, reopen, close, lost: () => lost };
}
