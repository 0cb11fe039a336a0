import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { diskFailure, reasonOf } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { createFolders } from "../../system/files.ts";
import type { Lock } from "../../system/lock.ts";
import { openBeside } from "../../system/open-beside.ts";
import type { Call } from "../recorder/recorder.ts";
import {
  createPosition,
  droppedIn,
  filesIn,
  isThere,
  lockSpool,
  nextNumber,
  reachedIn,
  recordOf,
  requirePurpose,
  type SpoolPurpose,
} from "./spool.ts";
/** How a spool is written. */
export interface SpoolOptions {
  /** The most that it may take on disk, in bytes. */
  readonly size: number;
  readonly now: () => Date;
  readonly warn: (message: string) => void;
  /** Whether calls wait until their readings are on the disk; otherwise, they are within a second. */
  readonly syncs?: boolean;
  /** Puts what was written to a file on the disk; for tests. */
  readonly sync?: (fd: number) => void;
}

/**
 * Opens a spool, and creates it if the directory is new or empty. Throws a `Failure` if it is for another engine or format or
 * has something else, and if another process has it open.
 */
export async function openSpoolWriter(purpose: SpoolPurpose, options: SpoolOptions) {
  const { folder, name } = purpose;
  try {
    createFolders(folder, 0o700);
    const held = await lockSpool(purpose, "writer");
    try {
      requirePurpose(purpose);
      createPosition(folder);
      return createWriter(purpose, held, options);
    } catch (error) {
      held.release();
      throw error;
    }
  } catch (error) {
    throw diskFailure(error, name) ?? error;
  }
}

const flushAt = 64 * 1024;
const largestSegment = 8 * 1024 * 1024;
const warnEvery = 60_000;
const syncEvery = 1000;

function createWriter(purpose: SpoolPurpose, held: Lock, options: SpoolOptions) {
  const { folder, name } = purpose;
  const { size, now, warn, syncs = true, sync = fdatasyncSync } = options;
  // A dropped segment must be a small part of what is kept.
  const segmentSize = Math.min(largestSegment, Math.max(flushAt, Math.floor(size / 8)));
  let next = nextNumber(folder);
  const before = droppedIn(folder);
  /** How many readings were there when it was opened. */
  const found = Math.max(0, next - reachedIn(folder) - before);
  let fd: number | undefined;
  let sound = 0;
  let pending: Uint8Array[] = [];
  // Of what is not written, and of what is not on the disk.
  let calls: Call[] = [];
  let unsynced: Call[] = [];
  let syncedAt = now().getTime();
  let [pendingSize, added, lost, lostNow, droppedNow] = [0, 0, 0, 0, 0];
  // The same warning twice is printed once.
  const time = () => now().toISOString().replace(/\.\d+/, "");
  let droppedAt: number | undefined;

  /** Removes oldest segments until there is room for one more. */
  function makeRoom(): void {
    const segments = filesIn(folder);
    const sizes = segments.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    let total = sizes.reduce((sum, one) => sum + one, 0);
    const reached = reachedIn(folder);
    for (const [index, { number, path }] of segments.entries()) {
      if (total + segmentSize <= size) return;
      total -= sizes[index] ?? 0;
      droppedNow += Math.max(0, (segments[index + 1]?.number ?? next) - Math.max(number, reached));
      rmSync(path, { force: true });
    }
  }

  /** At once, and then once a minute. */
  function warnDropped(): void {
    const at = now().getTime();
    if (droppedNow === 0 || (droppedAt !== undefined && Math.abs(at - droppedAt) < warnEvery)) return;
    warn(`${name} is full (--spool-size): dropped its oldest ${droppedNow} readings, which are not forwarded`);
    droppedNow = 0;
    droppedAt = at;
  }

  /** Nothing is written to a directory that was removed, nor to another one in its place. */
  function requireThere(): void {
    if (!isThere(purpose)) throw new Failure("disk", `${name} was removed, and the readings in it`);
    if (fd === undefined || fstatSync(fd).nlink > 0) return;
    warn(`A segment of ${name} was removed; its readings are not forwarded`);
    closeSync(fd);
    fd = undefined;
  }

  function nextSegment(): number {
    if (fd !== undefined) {
      sync(fd);
      closeSync(fd);
      fd = undefined;
    }
    makeRoom();
    fd = openBeside(join(folder, `${String(next).padStart(8, "0")}.seg`), "wx", 0o600);
    syncFolder(folder);
    sound = 0;
    return fd;
  }

  function write(bytes: Uint8Array): void {
    const to = fd === undefined || sound + bytes.length > segmentSize ? nextSegment() : fd;
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(to, bytes, at, bytes.length - at, sound + at);
      sound += bytes.length;
    } catch (error) {
      ftruncateSync(to, sound);
      throw error;
    }
  }

  /**
   * Writes what was added. What cannot be written is counted as lost, and its calls learn why. What `syncs` is then on the
   * disk, which takes a millisecond or more for all of it; the rest within a second.
   */
  function flush(): void {
    writePending();
    const at = now().getTime();
    // A clock that was set back does not stop it.
    if (fd === undefined || (unsynced.length === 0 && Math.abs(at - syncedAt) < syncEvery)) return;
    syncedAt = at;
    const waiting = unsynced;
    unsynced = [];
    try {
      sync(fd);
    } catch (error) {
      warn(`${(diskFailure(error, name) ?? (error as Error)).message}; readings may be lost until this is resolved`);
      for (const call of waiting) call.problem ??= reasonOf(error);
    }
  }

  function writePending(): void {
    if (pending.length === 0) return;
    const waiting = calls;
    calls = [];
    const records = pending.length;
    const bytes = Buffer.concat(pending);
    pending = [];
    pendingSize = 0;
    try {
      requireThere();
      write(bytes);
      next += records;
    } catch (error) {
      const failure = error instanceof Failure ? error : diskFailure(error, name);
      if (failure === undefined) throw error;
      lost += records;
      lostNow += records;
      if (lostNow === records) warn(`${time()}: ${failure.message}; readings are not forwarded until this is resolved`);
      for (const call of waiting) call.problem ??= reasonOf(error);
      return;
    }
    if (syncs) unsynced.push(...waiting);
    if (lostNow > 0)
      warn(`${time()}: forwarding again; ${lostNow} ${lostNow === 1 ? "reading was" : "readings were"} lost`);
    lostNow = 0;
    warnDropped();
  }

  return {
    /** Adds a reading, with what is to learn of a problem. */
    add(encoded: Uint8Array, call?: Call) {
      const record = recordOf(encoded, now().getTime());
      if (call !== undefined) calls.push(call);
      added += 1;
      pending.push(record);
      pendingSize += record.length;
      if (pendingSize >= flushAt) writePending();
    },
    flush,
    found,
    /** How many readings were added, and how many of them could not be written. */
    added: () => added,
    lost: () => lost,
    /** How many readings were dropped for want of room since then, of which the reader does not know yet; less what it finds of before. */
    dropped: () => (isThere(purpose) ? droppedIn(folder) : 0) - before,
    /** Whether the directory is still there. */
    isThere: () => isThere(purpose),
    close() {
      syncedAt = 0;
      flush();
      if (fd !== undefined) closeSync(fd);
      held.release();
    },
  };
}

/** Puts the names of files on the disk, too; Windows has nothing for that. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
