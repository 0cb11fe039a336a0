import { closeSync, fstatSync, readSync, rmSync } from "node:fs";
import { diskFailure, hasCode, reasonOf } from "../../failure/disk.ts";
import { openBeside } from "../../system/open-beside.ts";
import { maxMessageSize } from "../framing/framing.ts";
import {
  createPosition,
  filesIn,
  headSize,
  isThere,
  lockSpool,
  nextRecord,
  readPosition,
  recordAt,
  type SpoolFile,
  type SpoolPosition,
  type SpoolPurpose,
  savePosition,
  start,
} from "./spool.ts";

/** Readings of a spool that belong together. */
export interface SpoolBatch {
  readonly readings: readonly Uint8Array[];
  /** When the first of them was added, in milliseconds since 1970. */
  readonly since: number;
  readonly from: SpoolPosition;
  readonly end: SpoolPosition;
  /** The position after so many of them. */
  readonly after: (count: number) => SpoolPosition;
}

/** Reads a spool from where the last reader came. */
export interface SpoolReader {
  /** The next readings, and the same again until `done`; undefined while there are none. */
  readonly next: () => SpoolBatch | undefined;
  /** The readings after a position, which stay where they are; undefined if there are none. */
  readonly after: (from: SpoolPosition) => SpoolBatch | undefined;
  /** Says that the readings before a position are sent, or refused. */
  readonly done: (end: SpoolPosition) => void;
  /** How many readings were dropped for want of room, and how many damaged places were skipped. */
  readonly dropped: () => number;
  readonly damaged: () => number;
  readonly close: () => void;
}

const chunk = 1024 * 1024;
const maxReadings = 2000;

/** Opens a spool to send what it has. Throws a `Failure` if another process does. */
export async function openSpoolReader(purpose: SpoolPurpose, warn: (message: string) => void): Promise<SpoolReader> {
  const { folder, name } = purpose;
  const held = await lockSpool(purpose, "reader");
  const known = readPosition(folder);
  if (known === undefined) warn(`${name}: the position is damaged; what was sent of the oldest segment is sent again`);
  let position = known ?? { ...start, segment: filesIn(folder)[0]?.number ?? start.segment };
  let [dropped, damaged] = [0, 0];
  const warned = new Set<string>();
  let isUnsaved = false;
  unlessDisk(() => createPosition(folder));

  /** Does what may fail on a disk that is full or cannot be written, and is tried again. Sending does not depend on it. */
  function unlessDisk(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      const reason = reasonOf(error);
      if (!warned.has(reason))
        warn(`Cannot write ${name}: ${reason}; until this is resolved, a restart sends again what was sent`);
      warned.add(reason);
      return false;
    }
  }

  function save(): void {
    isUnsaved = !unlessDisk(() => savePosition(folder, position));
  }

  function next(): SpoolBatch | undefined {
    // Its writer says so.
    if (!isThere(purpose)) return undefined;
    if (isUnsaved) save();
    for (;;) {
      const [file, newer] = filesIn(folder).filter((one) => one.number >= position.segment || remove(one));
      if (file === undefined) return undefined;
      if (file.number !== position.segment) {
        dropped += Math.max(0, file.number - position.segment - position.count);
        position = { ...start, segment: file.number };
      }
      const part = read(file.path, position.offset);
      // Dropped meanwhile.
      if (part === undefined) continue;
      const found = recordsIn(part, newer !== undefined, position);
      damaged += found.damaged;
      if (found.readings.length > 0) return found;
      position = found.end;
      if (!part.isEnd) continue;
      // The newest one grows.
      if (newer === undefined) return undefined;
      position = { ...start, segment: newer.number };
      save();
      remove(file);
    }
  }

  /** Removes a segment that is done; `next` tries it again. */
  function remove({ path }: SpoolFile): false {
    unlessDisk(() => rmSync(path, { force: true }));
    return false;
  }
  function after(from: SpoolPosition): SpoolBatch | undefined {
    const files = filesIn(folder).filter(({ number }) => number >= from.segment);
    for (const [index, { number, path }] of files.entries()) {
      for (let at = number === from.segment ? from : { ...start, segment: number }; ; ) {
        const part = read(path, at.offset);
        const found = part && recordsIn(part, index < files.length - 1, at);
        if (found !== undefined && found.readings.length > 0) return found;
        // What is damaged may go on in the next part.
        if (part === undefined || found === undefined || part.isEnd || found.end.offset === at.offset) break;
        at = found.end;
      }
    }
    return undefined;
  }

  function read(path: string, offset: number): Part | undefined {
    try {
      return readPart(path, offset);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw diskFailure(error, name, { tried: "read" }) ?? error;
    }
  }

  return {
    next,
    after,
    done(end) {
      position = end;
      save();
    },
    dropped: () => dropped,
    damaged: () => damaged,
    close() {
      if (isUnsaved) save();
      held.release();
    },
  };
}

/** The records of a part of a segment that begins at a position; `end` is after what is damaged, too. */
function recordsIn(
  { bytes, isEnd }: Part,
  isComplete: boolean,
  from: SpoolPosition,
): SpoolBatch & { readonly damaged: number } {
  const readings: Uint8Array[] = [];
  const ends = [0];
  let [at, since, damaged] = [0, 0, 0];
  while (at < bytes.length && readings.length < maxReadings) {
    const record = recordAt(bytes, at);
    if (typeof record === "object") {
      if (readings.length === 0) since = record.time;
      readings.push(record.encoded);
      at = record.end;
      ends.push(at);
      continue;
    }
    // The rest comes with the next part, or is being written.
    if (record === "cut" && !(isEnd && isComplete)) break;
    damaged += 1;
    at = nextRecord(bytes, at + 1, !(isEnd && isComplete));
  }
  const { segment, offset, count } = from;
  const after = (some: number) => ({ segment, offset: offset + (ends[some] ?? at), count: count + some });
  return { readings, since, from, end: { ...after(readings.length), offset: offset + at }, after, damaged };
}

/** Bytes of a segment, and whether they are its last ones. */
interface Part {
  readonly bytes: Buffer;
  readonly isEnd: boolean;
}

/** Reads a part of a segment, which has the whole of its first record. */
function readPart(path: string, offset: number): Part {
  const fd = openBeside(path, "r");
  try {
    const left = Math.max(0, fstatSync(fd).size - offset);
    const head = Buffer.alloc(headSize);
    readSync(fd, head, 0, headSize, offset);
    const length = head.readUInt32LE(4);
    const wanted = length > maxMessageSize ? chunk : Math.max(chunk, headSize + length);
    const bytes = Buffer.allocUnsafe(Math.min(left, wanted));
    const size = readSync(fd, bytes, 0, bytes.length, offset);
    return { bytes: bytes.subarray(0, size), isEnd: size === left };
  } finally {
    closeSync(fd);
  }
}
