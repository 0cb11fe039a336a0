import { createHash } from "node:crypto";
import { closeSync, existsSync, readdirSync, realpathSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { diskFailure } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { type Lock, lock } from "../../system/lock.ts";
import { openBeside, readBeside } from "../../system/open-beside.ts";
import { maxMessageSize } from "../framing/framing.ts";
import { replaceBeside } from "../scratch.ts";

/**
 * A spool keeps readings on disk until an engine has them. It is a directory: `spool.json` says for which engine, `N.seg` are
 * segments of records in the order in which they came, and `position` how far the forwarder came. N is the number of the first
 * record, from 1: where numbers are missing, an oldest segment was removed for want of room. One process writes segments,
 * another one reads and removes them. A record is a mark, its length and a CRC-32 of the rest (four bytes each, little-endian), when it was added
 * (a double, in milliseconds), and the encoded reading.
 */
const kind = "metrics spool";
const mark = 0x01505354;
/** The bytes of a record before its reading. */
export const headSize = 20;
const positionSize = 256;

/** What a spool is for. */
export interface SpoolPurpose {
  readonly folder: string;
  /** The directory as given on the command line. */
  readonly name: string;
  /** The address of the engine, and what it takes. */
  readonly address: string;
  readonly format: string;
}

/** A segment, by the number of its first record. */
export interface SpoolFile {
  readonly number: number;
  readonly path: string;
}

/** The segments of a spool from the oldest to the newest. */
export function filesIn(folder: string): SpoolFile[] {
  return readdirSync(folder)
    .filter((name) => /^\d+\.seg$/.test(name))
    .map((name) => ({ number: Number.parseInt(name, 10), path: join(folder, name) }))
    .sort((one, other) => one.number - other.number);
}
/** Takes the part of a process. Throws a `Failure` if another one has it. */
export async function lockSpool({ folder, name }: SpoolPurpose, part: "writer" | "reader"): Promise<Lock> {
  const held = await lock(`spool ${part} ${realpathSync(folder)}`);
  if (held !== undefined) return held;
  const hint = "Use another --spool, or stop the other process.";
  throw new Failure("spool_in_use", `Another process forwards from ${name}`, { hint });
}

/** Throws a `Failure` unless the directory is a spool for this engine and format; makes it one if it is empty. */
export function requirePurpose({ folder, name, address, format }: SpoolPurpose): void {
  const path = join(folder, "spool.json");
  // An address can have more in its query than one wants to read in a file.
  const shown = address.replace(/\?.*/, "");
  const engine = createHash("sha256").update(`${format} ${address}`).digest("hex");
  const hint = "Use another --spool DIR, or forward what it has to where it is for.";
  if (!existsSync(path)) {
    if (readdirSync(folder).length > 0)
      throw new Failure("not_a_spool", `${name} has other files, and is no spool`, { hint });
    replaceBeside(path, Buffer.from(`${JSON.stringify({ tongs: kind, format, address: shown, engine })}\n`), 0o600);
    return;
  }
  let known: Partial<Record<"tongs" | "format" | "address" | "engine", unknown>>;
  try {
    known = JSON.parse(readBeside(path).toString());
  } catch (error) {
    throw (
      diskFailure(error, path, { tried: "read" }) ??
      new Failure("not_a_spool", `${name} is damaged: spool.json`, { hint })
    );
  }
  if (known?.tongs !== kind) throw new Failure("not_a_spool", `${name} is no spool`, { hint });
  if (known.engine !== engine)
    throw new Failure("not_a_spool", `${name} is the spool for ${known.address} as ${known.format}`, { hint });
}

/** A record. */
export function recordOf(encoded: Uint8Array, time: number): Uint8Array {
  const record = Buffer.allocUnsafe(headSize + encoded.length);
  record.writeUInt32LE(mark, 0);
  record.writeUInt32LE(encoded.length, 4);
  record.writeDoubleLE(time, 12);
  record.set(encoded, headSize);
  record.writeUInt32LE(crc32(record.subarray(12)), 8);
  return record;
}

/** The number that the next record gets. A newest segment without a sound record is removed. */
export function nextNumber(folder: string): number {
  const newest = filesIn(folder).at(-1);
  if (newest === undefined) return reachedIn(folder);
  const bytes = readBeside(newest.path);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const record = recordAt(bytes, at);
    if (typeof record === "object") count += 1;
    at = typeof record === "object" ? record.end : nextRecord(bytes, at + 1);
  }
  if (count === 0) rmSync(newest.path, { force: true });
  return newest.number + count;
}

/** The number of the first record that is not sent, as far as it was saved. */
export function reachedIn(folder: string): number {
  const { segment, count } = readPosition(folder) ?? start;
  return segment + count;
}

/** How many records were dropped of which the reader of a spool does not know yet. */
export function droppedIn(folder: string): number {
  const reached = reachedIn(folder);
  return Math.max(0, (filesIn(folder)[0]?.number ?? reached) - reached);
}
/** Whether a directory is still the spool that was opened there. */
export function isThere({ folder }: SpoolPurpose): boolean {
  return existsSync(join(folder, "spool.json"));
}

/** A sound record. */
export interface SpoolRecord {
  readonly encoded: Uint8Array;
  readonly time: number;
  readonly end: number;
}

/** The record at `at`; `cut` if the bytes end in it, and `damaged` if there is none. */
export function recordAt(bytes: Buffer, at: number): SpoolRecord | "cut" | "damaged" {
  if (at + headSize > bytes.length) return "cut";
  const length = bytes.readUInt32LE(at + 4);
  if (bytes.readUInt32LE(at) !== mark || length > maxMessageSize) return "damaged";
  const end = at + headSize + length;
  if (end > bytes.length) return "cut";
  if (crc32(bytes.subarray(at + 12, end)) !== bytes.readUInt32LE(at + 8)) return "damaged";
  return { encoded: bytes.subarray(at + headSize, end), time: bytes.readDoubleLE(at + 12), end };
}

const markBytes = Buffer.from([0x54, 0x53, 0x50, 0x01]);

/** Where the next sound record begins, or one that is cut if more bytes follow; otherwise the end. */
export function nextRecord(bytes: Buffer, from: number, continues = false): number {
  for (let at = bytes.indexOf(markBytes, from); at >= 0; at = bytes.indexOf(markBytes, at + 1)) {
    const record = recordAt(bytes, at);
    if (typeof record === "object" || (record === "cut" && continues)) return at;
  }
  // The mark may be cut.
  return continues ? Math.max(from, bytes.length - markBytes.length + 1) : bytes.length;
}

/** How far a forwarder came: in a segment, the bytes and the sound records that are done. */
export interface SpoolPosition {
  readonly segment: number;
  readonly offset: number;
  readonly count: number;
}

/** The start of a spool. */
export const start: SpoolPosition = { segment: 1, offset: 0, count: 0 };

/** The position that was saved last; the start before one was. Undefined if it is damaged. */
export function readPosition(folder: string): SpoolPosition | undefined {
  const path = join(folder, "position");
  const text = existsSync(path) ? readBeside(path).toString() : "";
  if (text === "") return start;
  const [json = "", sum] = text.trimEnd().split("\t");
  return crc32(json) === Number(sum) ? (JSON.parse(json) as SpoolPosition) : undefined;
}

/** Makes the file of the position in its full size, so that saving it needs no room on the disk. */
export function createPosition(folder: string): void {
  const path = join(folder, "position");
  if (!existsSync(path)) closeSync(openBeside(path, "wx", 0o600));
  if (statSync(path).size === 0) savePosition(folder, start);
}

/** Saves a position in place, always in the same length: that works on a full disk, too. */
export function savePosition(folder: string, position: SpoolPosition): void {
  const text = JSON.stringify(position);
  const fd = openBeside(join(folder, "position"), "r+");
  try {
    writeSync(fd, `${`${text}\t${crc32(text)}`.padEnd(positionSize - 1)}\n`, 0);
  } finally {
    closeSync(fd);
  }
}
