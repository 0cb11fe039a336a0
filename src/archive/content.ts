import { readSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import pMap from "p-map";
import { type Archive, type Entry, elsewhere, openArchive, readAt } from "./archive.ts";
import { DamagedArchive, quoted, UnsafeArchive } from "./archive-failure.ts";
import type { Passed } from "./streaming-crc.ts";

/** Entries up to these sizes, packed and unpacked, are inflated in one go: for small ones that is the fastest way. */
const smallPacked = 1024 * 1024;
const small = 4 * 1024 * 1024;
const block = 256 * 1024;
/** Room for the extra fields beside the content, so that most entries need one read. */
const likelyExtra = 64;

/** How many entries are read at a time: enough to keep zlib's threads and this one busy. */
const concurrency = 4;

/**
 * Works on the items of an archive, four at a time, and lets other work run every 64 items. After an error or an abort no
 * item is started; the error is thrown once all that were started have ended, so the caller can close or remove what
 * they use.
 */
export async function forEachEntry<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void> | undefined,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  function* untilFailure() {
    for (const item of items) {
      if (failure !== undefined) return;
      yield item;
    }
  }
  const workOn = async (item: T, index: number) => {
    try {
      if (index % 64 === 0) await nextTurn();
      if (signal.aborted) throw signal.reason;
      await work(item);
    } catch (error) {
      failure ??= { error };
    }
  };
  await pMap(untilFailure(), workOn, { concurrency });
  if (failure !== undefined) throw failure.error;
}

/** Takes the pieces of an entry's content in order; a piece is only valid until it returns. */
export type Sink = (piece: Buffer) => void;

/** Passes the content of an entry on, piece by piece, and checks its length and CRC at the end. */
export async function readContent(archive: Archive, entry: Entry, sink: Sink, signal: AbortSignal): Promise<void> {
  if (entry.encrypted) throw new UnsafeArchive(`${quoted(entry.name)} is encrypted`);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new UnsafeArchive(`${quoted(entry.name)} is packed in a way that is not known here (method ${entry.method})`);
  }
  if (entry.method === 0 && entry.packed !== entry.size) throw damaged(entry, "its two sizes differ");
  if (entry.packed <= smallPacked && entry.size <= small) return readSmall(archive, entry, sink);
  await nextTurn(undefined, { signal }).catch(() => {
    throw signal.reason;
  });
  const start = dataStart(entry, await readAt(archive.file, entry.offset, 30 + entry.rawName.length));
  let [size, crc] = [0, 0];
  const check: Sink = (piece) => {
    size += piece.length;
    if (size > entry.size) throw damaged(entry, "it is larger than it says");
    crc = crc32(piece, crc);
    sink(piece);
  };
  if (entry.method === 0) await copyStored(archive, start, entry, check, signal);
  else await inflate(archive, start, entry, check, signal);
  if (size !== entry.size) throw damaged(entry, "it is shorter than it says");
  if (crc !== entry.crc) throw damaged(entry, "its checksum differs");
}

/** Checks a stored entry by what was learned of it while its bytes passed by. */
export async function checkPassed({ file }: Archive, entry: Entry, passed: Passed): Promise<void> {
  const start = dataStart(entry, await readAt(file, entry.offset, 30 + entry.rawName.length));
  if (passed.start !== start || passed.size !== entry.size || entry.packed !== entry.size) {
    throw damaged(entry, "its two sizes differ");
  }
  if (passed.crc !== entry.crc) throw damaged(entry, "its checksum differs");
}

function readSmall({ file, length }: Archive, entry: Entry, sink: Sink): void {
  const head = 30 + entry.rawName.length;
  const wanted = Math.min(length - entry.offset, head + likelyExtra + entry.packed);
  let bytes = readNow(file.fd, entry.offset, wanted);
  if (bytes.length < head) throw damaged(entry, "it is cut off");
  const start = dataStart(entry, bytes) - entry.offset;
  if (start + entry.packed > bytes.length) {
    bytes = readNow(file.fd, entry.offset, start + entry.packed);
    if (start + entry.packed > bytes.length) throw damaged(entry, "it is cut off");
  }
  const packed = bytes.subarray(start, start + entry.packed);
  const content = entry.method === 0 ? packed : inflateNow(packed, entry);
  if (content.length !== entry.size) throw damaged(entry, "it is shorter than it says");
  if (crc32(content) !== entry.crc) throw damaged(entry, "its checksum differs");
  if (content.length > 0) sink(content);
}

/** Where small entries are read to, one after the other: none is looked at when the next one is read. */
let room: Buffer = Buffer.alloc(0);

function readNow(fd: number, position: number, size: number): Buffer {
  if (room.length < size) room = Buffer.allocUnsafeSlow(2 * size);
  const bytes = room.subarray(0, size);
  let done = 0;
  while (done < size) {
    const read = readSync(fd, bytes, done, size - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

function inflateNow(packed: Buffer, entry: Entry): Buffer {
  try {
    // Room for all of it and a byte more, so that it comes in one piece.
    return inflateRawSync(packed, {
      maxOutputLength: Math.max(1, entry.size),
      chunkSize: Math.max(64, entry.size + 1),
    });
  } catch (error) {
    throw inflating(error, entry);
  }
}

async function copyStored(archive: Archive, start: number, entry: Entry, sink: Sink, signal: AbortSignal) {
  const buffer = Buffer.allocUnsafe(4 * block);
  for (let done = 0; done < entry.size; ) {
    if (signal.aborted) throw signal.reason;
    const wanted = Math.min(buffer.length, entry.size - done);
    const { bytesRead } = await archive.file.read(buffer, 0, wanted, start + done);
    if (bytesRead === 0) throw damaged(entry, "it is cut off");
    sink(buffer.subarray(0, bytesRead));
    done += bytesRead;
  }
}

/** The packed bytes of an entry, by reads at their positions: the archive's descriptor is given to nobody who may close it. */
async function* packedPieces({ file }: Archive, start: number, entry: Entry): AsyncGenerator<Buffer, void, undefined> {
  for (let done = 0; done < entry.packed; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(block, entry.packed - done));
    const { bytesRead } = await file.read(piece, 0, piece.length, start + done);
    if (bytesRead === 0) throw damaged(entry, "it is cut off");
    done += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Inflates in zlib's threads, so that several large entries use several cores. */
async function inflate(archive: Archive, start: number, entry: Entry, sink: Sink, signal: AbortSignal) {
  // What the sink throws is kept: the pipeline may well report only that it was aborted.
  let failed: unknown;
  const drain = async (pieces: AsyncIterable<Buffer>) => {
    try {
      for await (const piece of pieces) sink(piece);
    } catch (error) {
      failed ??= error;
      throw error;
    }
  };
  try {
    await pipeline(packedPieces(archive, start, entry), createInflateRaw({ chunkSize: block }), drain, { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw inflating(failed ?? error, entry);
  }
}

function inflating(error: unknown, entry: Entry): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_BUFFER_TOO_LARGE") return damaged(entry, "it is larger than it says");
  return code.startsWith("Z_") ? damaged(entry, "it cannot be inflated") : error;
}

/** Where the content begins. The name beside it must be the directory's: otherwise other tools would see other files. */
function dataStart(entry: Entry, header: Buffer): number {
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged(entry, "its header is missing");
  const name = header.readUInt16LE(26);
  // The length first: no more than the directory's name may have been read of a longer one.
  if (name !== entry.rawName.length || !header.subarray(30, 30 + name).equals(entry.rawName))
    throw damaged(entry, "it has two different names");
  return entry.offset + 30 + name + header.readUInt16LE(28);
}

function damaged(entry: Entry, what: string): DamagedArchive {
  return new DamagedArchive(`The archive is damaged at ${quoted(entry.name)}: ${what}`);
}

/** Entries of an archive that is only checked: each takes some hundred bytes of memory. */
const mostChecked = 4_000_000;

/**
 * Reads a whole archive and checks every length and CRC, without writing anything; what has `passed` already is not read
 * again. Throws a `DamagedArchive`.
 */
export async function verifyArchive(
  path: string,
  signal: AbortSignal,
  passed: ReadonlyMap<number, Passed> = new Map(),
): Promise<void> {
  const archive = await openArchive(path, { most: mostChecked, hint: elsewhere });
  try {
    await forEachEntry(archive.entries, signal, (entry) => {
      // What is encrypted, or packed in a way unknown here, is for other tools to check.
      if (entry.encrypted || (entry.method !== 0 && entry.method !== 8)) return;
      const known = passed.get(entry.offset);
      // Some writers leave the sizes in the local header 0: then nothing of the content was seen.
      if (known?.size === entry.packed && entry.method === 0) return checkPassed(archive, entry, known);
      return readContent(archive, entry, () => undefined, signal);
    });
  } finally {
    await archive.close();
  }
}
