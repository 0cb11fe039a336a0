import { readSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import pMap from "p-map";
import { type Archive, browserHint, type Entry, openArchive, readAt } from "./archive.ts";
import { DamagedArchive, quoted, UnsafeArchive } from "./archive-failure.ts";
import type { StreamedEntry } from "./streaming-crc.ts";

/** Entries up to these sizes, in bytes, are inflated in one call, which is fastest for small ones. */
const smallCompressed = 1024 * 1024;
const smallUnpacked = 4 * 1024 * 1024;
/** How many bytes of a large entry are read at a time. */
const blockSize = 256 * 1024;
/** How many bytes of extra fields are read along with a small entry, so that most entries need only one read. */
const likelyExtra = 64;
/** The most entries of an archive that is checked but not unpacked. Each takes some hundred bytes of memory. */
const maxVerified = 4_000_000;

/** How many entries are read at a time: enough to keep the main thread and those of zlib busy. */
const concurrency = 4;

/**
 * Calls `work` for the items of an archive, four at a time, and yields to the event loop every 64 items. After an error
 * or an abort it starts no more items, and throws once the running ones have ended, so that the caller can close and
 * remove files.
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

/** Receives the content of an entry piece by piece, in order. A piece is valid only during the call. */
export type Sink = (piece: Buffer) => void;

/**
 * Reads the content of an entry and passes it to `sink`. Throws a `DamagedArchive`, at the end if not before, when the
 * size, the CRC or the name does not match the directory.
 */
export async function readContent(archive: Archive, entry: Entry, sink: Sink, signal: AbortSignal): Promise<void> {
  if (entry.isEncrypted) throw new UnsafeArchive(`${quoted(entry.name)} is encrypted`);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new UnsafeArchive(`${quoted(entry.name)} has the unsupported compression method ${entry.method}`);
  }
  if (entry.method === 0 && entry.compressedSize !== entry.size) throw damaged(entry, "its sizes do not match");
  if (entry.compressedSize <= smallCompressed && entry.size <= smallUnpacked) return readSmall(archive, entry, sink);
  await nextTurn(undefined, { signal }).catch(() => {
    throw signal.reason;
  });
  const start = dataStart(entry, await readAt(archive.file, entry.offset, 30 + entry.rawName.length));
  let [size, crc] = [0, 0];
  const check: Sink = (piece) => {
    size += piece.length;
    if (size > entry.size) throw damaged(entry, "it is larger than recorded");
    crc = crc32(piece, crc);
    sink(piece);
  };
  if (entry.method === 0) await copyStored(archive, start, entry, check, signal);
  else await inflate(archive, start, entry, check, signal);
  if (size !== entry.size) throw damaged(entry, "it is smaller than recorded");
  if (crc !== entry.crc) throw damaged(entry, "the checksum does not match");
}

/** Checks a stored entry by the size and CRC that were computed during the download. */
export async function checkStreamed({ file }: Archive, entry: Entry, streamed: StreamedEntry): Promise<void> {
  const start = dataStart(entry, await readAt(file, entry.offset, 30 + entry.rawName.length));
  if (streamed.start !== start || streamed.size !== entry.size || entry.compressedSize !== entry.size) {
    throw damaged(entry, "its sizes do not match");
  }
  if (streamed.crc !== entry.crc) throw damaged(entry, "the checksum does not match");
}

function readSmall({ file, length }: Archive, entry: Entry, sink: Sink): void {
  const head = 30 + entry.rawName.length;
  const wanted = Math.min(length - entry.offset, head + likelyExtra + entry.compressedSize);
  let bytes = readSmallAt(file.fd, entry.offset, wanted);
  if (bytes.length < head) throw damaged(entry, "it is truncated");
  const start = dataStart(entry, bytes) - entry.offset;
  if (start + entry.compressedSize > bytes.length) {
    bytes = readSmallAt(file.fd, entry.offset, start + entry.compressedSize);
    if (start + entry.compressedSize > bytes.length) throw damaged(entry, "it is truncated");
  }
  const compressed = bytes.subarray(start, start + entry.compressedSize);
  const content = entry.method === 0 ? compressed : inflateSmall(compressed, entry);
  if (content.length !== entry.size) throw damaged(entry, "it is smaller than recorded");
  if (crc32(content) !== entry.crc) throw damaged(entry, "the checksum does not match");
  if (content.length > 0) sink(content);
}

/** The buffer for small entries, reused: each is done before the next one is read. */
let smallBuffer: Buffer = Buffer.alloc(0);

function readSmallAt(fd: number, position: number, size: number): Buffer {
  if (smallBuffer.length < size) smallBuffer = Buffer.allocUnsafeSlow(2 * size);
  const bytes = smallBuffer.subarray(0, size);
  let done = 0;
  while (done < size) {
    const read = readSync(fd, bytes, done, size - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

function inflateSmall(compressed: Buffer, entry: Entry): Buffer {
  try {
    // One byte more than the size, so that the output comes in one piece.
    return inflateRawSync(compressed, {
      maxOutputLength: Math.max(1, entry.size),
      chunkSize: Math.max(64, entry.size + 1),
    });
  } catch (error) {
    throw inflateError(error, entry);
  }
}

async function copyStored(archive: Archive, start: number, entry: Entry, sink: Sink, signal: AbortSignal) {
  const buffer = Buffer.allocUnsafe(4 * blockSize);
  for (let done = 0; done < entry.size; ) {
    if (signal.aborted) throw signal.reason;
    const wanted = Math.min(buffer.length, entry.size - done);
    const { bytesRead } = await archive.file.read(buffer, 0, wanted, start + done);
    if (bytesRead === 0) throw damaged(entry, "it is truncated");
    sink(buffer.subarray(0, bytesRead));
    done += bytesRead;
  }
}

/**
 * The compressed bytes of an entry. They are read at positions from the shared descriptor: a read stream would close it
 * when it is destroyed, and other entries use it.
 */
async function* compressedPieces(
  { file }: Archive,
  start: number,
  entry: Entry,
): AsyncGenerator<Buffer, void, undefined> {
  for (let done = 0; done < entry.compressedSize; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(blockSize, entry.compressedSize - done));
    const { bytesRead } = await file.read(piece, 0, piece.length, start + done);
    if (bytesRead === 0) throw damaged(entry, "it is truncated");
    done += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Inflates in the threads of zlib, so that several large entries use several cores. */
async function inflate(archive: Archive, start: number, entry: Entry, sink: Sink, signal: AbortSignal) {
  // The pipeline may report an abort instead of the error that the sink threw.
  let sinkError: unknown;
  const drain = async (pieces: AsyncIterable<Buffer>) => {
    try {
      for await (const piece of pieces) sink(piece);
    } catch (error) {
      sinkError ??= error;
      throw error;
    }
  };
  try {
    await pipeline(compressedPieces(archive, start, entry), createInflateRaw({ chunkSize: blockSize }), drain, {
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw inflateError(sinkError ?? error, entry);
  }
}

function inflateError(error: unknown, entry: Entry): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_BUFFER_TOO_LARGE") return damaged(entry, "it is larger than recorded");
  return code.startsWith("Z_") ? damaged(entry, "its compressed data is invalid") : error;
}

/** The position of the content. Throws when the local header has another name, because other tools could go by that one. */
function dataStart(entry: Entry, header: Buffer): number {
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged(entry, "its local header is missing");
  const name = header.readUInt16LE(26);
  // The length first: of a longer name only the beginning may have been read.
  if (name !== entry.rawName.length || !header.subarray(30, 30 + name).equals(entry.rawName))
    throw damaged(entry, "its name differs in the local header");
  return entry.offset + 30 + name + header.readUInt16LE(28);
}

function damaged(entry: Entry, what: string): DamagedArchive {
  return new DamagedArchive(`The archive is damaged at ${quoted(entry.name)}: ${what}`);
}

/**
 * Checks the size and CRC of every entry without writing anything. Entries in `streamed`, by offset, are not read again.
 * Encrypted entries and those with an unsupported compression method are not checked. Throws a `DamagedArchive`.
 */
export async function verifyArchive(
  path: string,
  signal: AbortSignal,
  streamed: ReadonlyMap<number, StreamedEntry> = new Map(),
): Promise<void> {
  const archive = await openArchive(path, { max: maxVerified, hint: browserHint });
  try {
    await forEachEntry(archive.entries, signal, (entry) => {
      if (entry.isEncrypted || (entry.method !== 0 && entry.method !== 8)) return;
      const known = streamed.get(entry.offset);
      // Some tools write sizes of 0 to the local header: then no content was seen.
      if (known?.size === entry.compressedSize && entry.method === 0) return checkStreamed(archive, entry, known);
      return readContent(archive, entry, () => undefined, signal);
    });
  } finally {
    await archive.close();
  }
}
