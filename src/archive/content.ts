import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32, createInflateRaw } from "node:zlib";
import pMap from "p-map";
import { type Archive, browserHint, type Entry, openArchive, readAt } from "./archive.ts";
import { DamagedArchive, quoted, UnsafeArchive } from "./archive-failure.ts";

/** How many bytes of an entry are read at a time. */
const blockSize = 256 * 1024;
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
  if (signal.aborted) throw signal.reason;
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
  return code.startsWith("Z_") ? damaged(entry, "its compressed data is invalid") : error;
}

/** The position of the content. Throws when the local header has another name, because other tools could go by that one. */
function dataStart(entry: Entry, header: Buffer): number {
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged(entry, "its local header is missing");
  const name = header.readUInt16LE(26);
  // The length first: of a longer name only the beginning was read.
  if (name !== entry.rawName.length || !header.subarray(30, 30 + name).equals(entry.rawName))
    throw damaged(entry, "its name differs in the local header");
  return entry.offset + 30 + name + header.readUInt16LE(28);
}

function damaged(entry: Entry, what: string): DamagedArchive {
  return new DamagedArchive(`The archive is damaged at ${quoted(entry.name)}: ${what}`);
}

/**
 * Checks the size and CRC of every entry without writing anything. Encrypted entries and those with an unsupported
 * compression method are not checked. Throws a `DamagedArchive`.
 */
export async function verifyArchive(path: string, signal: AbortSignal): Promise<void> {
  const archive = await openArchive(path, { max: maxVerified, hint: browserHint });
  try {
    await forEachEntry(archive.entries, signal, (entry) =>
      entry.isEncrypted || (entry.method !== 0 && entry.method !== 8)
        ? undefined
        : readContent(archive, entry, () => undefined, signal),
    );
  } finally {
    await archive.close();
  }
}
