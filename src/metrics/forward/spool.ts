import { createHash } from "node:crypto";
import { closeSync, existsSync, readdirSync, realpathSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { diskFailure, hasCode } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { type Lock, lock } from "../../system/lock.ts";
import { openBeside, readBeside } from "../../system/open-beside.ts";
import { maxMessageSize } from "../framing/framing.ts";
import { replaceBeside } from "../scratch.ts";

/**
 * A spool keeps readings on disk until an engine has them. It is a directory: `spool.json` says for which engine, `N.seg` are
 * segments of records in the order in which they came, `N.dropped` says how many records an oldest segment had that was
 * removed for want of room, and `position` how far the forwarder came. One process writes segments, another one reads and
 * removes them. A record is a mark, its length and a CRC-32 of the rest (four bytes each, little-endian), when it was added
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

/** A segment, or the notice of one that was dropped. */
export interface SpoolFile {
  readonly number: number;
  readonly path: string;
  readonly isDropped: boolean;
}

/** The segments of a spool from the oldest to the newest, and what is left of those that were dropped. */
export function filesIn(folder: string): SpoolFile[] {
  const found = readdirSync(folder).flatMap((name) => {
    const [, digits, end] = /^(\d+)\.(seg|dropped)$/.exec(name) ?? [];
    if (digits === undefined) return [];
    return [{ number: Number(digits), path: join(folder, name), isDropped: end === "dropped" }];
  });
  // A segment that is there with its notice was about to be removed.
  const dropped = new Set(found.filter(({ isDropped }) => isDropped).map(({ number }) => number));
  return found
    .filter(({ number, isDropped }) => isDropped || !dropped.has(number))
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
  let known: {
    readonly tongs?: unknown;
    readonly format?: unknown;
    readonly address?: unknown;
    readonly engine?: unknown;
  };
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

/** The number of sound records of a segment. */
export function countIn(path: string): number {
  const bytes = contentOf(path);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const record = recordAt(bytes, at);
    if (typeof record === "object") count += 1;
    at = typeof record === "object" ? record.end : nextRecord(bytes, at + 1);
  }
  return count;
}

/** The content of a segment; empty if the forwarder removed it meanwhile. */
function contentOf(path: string): Buffer {
  try {
    return readBeside(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return Buffer.alloc(0);
    throw error;
  }
}

/** How many readings a spool has that are not sent, and how many were dropped of which its reader does not know yet. */
export function leftIn(folder: string): { readonly waiting: number; readonly dropped: number } {
  const position = readPosition(folder) ?? start;
  let [waiting, dropped] = [0, 0];
  for (const file of filesIn(folder)) {
    const count = unsentIn(file, position);
    if (file.isDropped) dropped += count;
    else waiting += count;
  }
  return { waiting, dropped };
}

/** How many readings of a segment, or of one that was dropped, are after a position. */
export function unsentIn({ number, path, isDropped }: SpoolFile, position: SpoolPosition): number {
  if (number < position.segment) return 0;
  const count = isDropped ? Number(contentOf(path)) : countIn(path);
  return Math.max(0, count - (number === position.segment ? position.count : 0));
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
export const start: SpoolPosition = { segment: 0, offset: 0, count: 0 };

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
