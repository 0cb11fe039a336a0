// Reads the central directory of zip archives. Why not by a library: yauzl 3.4 was tried for the directory and for
// inflating, with our checks on top.
// - It trusts the entry count of the end record and never reads the size of the directory. An archive that counts 1 entry
//   and holds 3, or 65,537 entries without zip64, unpacks to one file without an error, and the caller cannot notice.
// - One broken extra field or one entry with strong encryption makes the whole archive unreadable, even with --zip. So
//   does a comment that contains the signature of an end record.
// - It checks no CRC, does not compare local headers with the directory and does not detect overlaps. Its errors have no
//   codes.

import { isUtf8 } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { DamagedArchive, quoted, tooManyEntries, UnsafeArchive } from "./archive-failure.ts";

/** An open zip archive and its directory. */
export interface Archive {
  readonly file: FileHandle;
  /** Size of the whole archive in bytes. */
  readonly length: number;
  readonly entries: readonly Entry[];
  close(): Promise<void>;
}

/**
 * Opens a zip archive and reads its directory; the caller closes it. Throws a `DamagedArchive` when the file is not a zip
 * archive or contradicts itself, and an `UnsafeArchive` when it has more entries than the limit, if possible before the
 * directory is read.
 */
export async function openArchive(path: string, limit: EntryLimit): Promise<Archive> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return { file, length: size, entries: await readDirectory(file, size, limit), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** An entry of a zip archive, as recorded in its central directory. */
export interface Entry {
  /** The decoded name; folders end in a slash. Not safe to use as a path: see safe-path.ts. */
  readonly name: string;
  /** The bytes of the name, to compare with those in the local header. */
  readonly rawName: Buffer;
  readonly kind: "file" | "folder" | "link" | "special";
  readonly isExecutable: boolean;
  readonly isEncrypted: boolean;
  /** Compression method: 0 is stored, 8 is deflated. */
  readonly method: number;
  readonly crc: number;
  /** Bytes in the archive. */
  readonly compressedSize: number;
  /** Bytes after unpacking. */
  readonly size: number;
  /** Position of the local header in the archive. */
  readonly offset: number;
}

const endLength = 22;
const maxComment = 0xffff;
const locatorLength = 20;

/** How many entries an archive may have, and the hint for one that has more. */
export interface EntryLimit {
  readonly max: number;
  readonly hint?: string | undefined;
}

/** The hint for an archive that tongs does not read at all. */
export const browserHint = "Download it in a browser: tongs run view --web";
/** The largest directory that is read, in bytes: some millions of entries. */
const maxDirectory = 512 * 1024 * 1024;

/** Reads the central directory (APPNOTE 4.3.12–4.3.16, zip64 included), which alone says what an archive contains. */
async function readDirectory(file: FileHandle, length: number, { max, hint }: EntryLimit): Promise<Entry[]> {
  const where = await findDirectory(file, length);
  if (where.count > max) throw tooManyEntries(max, hint);
  if (where.size > maxDirectory) {
    throw new UnsafeArchive("The directory of the archive is too large", browserHint);
  }
  const bytes = await readAt(file, where.offset, where.size);
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw broken("its directory is truncated");
    const end = at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (end > bytes.length) throw broken("its directory is truncated");
    const entry = readEntry(bytes.subarray(at, end));
    if (entry.offset + 30 + entry.compressedSize > where.offset) throw broken("an entry overlaps its directory");
    entries.push(entry);
    if (entries.length > max) throw tooManyEntries(max, hint);
    at = end;
  }
  // Without zip64 the count has 16 bits and wraps around.
  if ((entries.length & 0xffff) !== (where.count & 0xffff)) throw broken("the number of entries is wrong");
  checkOverlaps(entries);
  return entries;
}

/** Throws when entries share bytes, as in the worst zip bombs. No zip tool writes such archives. */
function checkOverlaps(entries: readonly Entry[]): void {
  let end = 0;
  for (const entry of [...entries].sort((one, other) => one.offset - other.offset)) {
    if (entry.offset < end) throw broken(`entries overlap at ${quoted(entry.name)}`);
    end = entry.offset + 30 + entry.rawName.length + entry.compressedSize;
  }
}

interface DirectoryPlace {
  readonly offset: number;
  readonly size: number;
  readonly count: number;
}

async function findDirectory(file: FileHandle, length: number): Promise<DirectoryPlace> {
  const tail = Math.min(length, endLength + maxComment + locatorLength);
  const bytes = await readAt(file, length - tail, tail);
  const at = findEnd(bytes);
  if (at === undefined) {
    throw new DamagedArchive(
      length === 0 ? "The file is empty, not a zip archive" : "The file is not a zip archive, or it is truncated",
    );
  }
  const end = length - tail + at;
  const short = {
    count: bytes.readUInt16LE(at + 10),
    size: bytes.readUInt32LE(at + 12),
    offset: bytes.readUInt32LE(at + 16),
  };
  const locator = at >= locatorLength && bytes.readUInt32LE(at - locatorLength) === 0x07064b50;
  const found = locator
    ? await findZip64Directory(file, bytes.subarray(at - locatorLength, at), end)
    : { ...short, limit: end };
  if (!locator && bytes.readUInt16LE(at + 4) !== 0) throw broken("it is split into several volumes");
  if (found.offset + found.size > found.limit) throw broken("its directory is outside the file");
  return found;
}

/** Finds the last end record whose comment ends where the file ends. */
function findEnd(bytes: Buffer): number | undefined {
  for (let at = bytes.length - endLength; at >= 0; at -= 1) {
    if (bytes[at] !== 0x50 || bytes.readUInt32LE(at) !== 0x06054b50) continue;
    if (at + endLength + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  }
  return undefined;
}

async function findZip64Directory(
  file: FileHandle,
  locator: Buffer,
  end: number,
): Promise<DirectoryPlace & { readonly limit: number }> {
  const at = safeInteger(locator.readBigUInt64LE(8));
  if (at + 56 > end) throw broken("its directory is outside the file");
  const record = await readAt(file, at, 56);
  if (record.readUInt32LE(0) !== 0x06064b50) throw broken("its zip64 end record is missing");
  return {
    count: safeInteger(record.readBigUInt64LE(32)),
    size: safeInteger(record.readBigUInt64LE(40)),
    offset: safeInteger(record.readBigUInt64LE(48)),
    limit: at,
  };
}

function readEntry(header: Buffer): Entry {
  const flags = header.readUInt16LE(8);
  const host = header[5];
  const unix = host === 3 || host === 19;
  const nameEnd = 46 + header.readUInt16LE(28);
  const extra = extraFields(header.subarray(nameEnd, nameEnd + header.readUInt16LE(30)));
  const rawName = Buffer.from(header.subarray(46, nameEnd));
  const name = decodeName(rawName, { utf8: (flags & 0x800) !== 0, unix, unicodePath: extra.get(0x7075) });
  const mode = unix ? header.readUInt32LE(38) >>> 16 : 0;
  const zip64Value = zip64Values(extra.get(0x0001));
  return {
    name,
    rawName,
    kind: kindOf(name, mode),
    isExecutable: (mode & 0o111) !== 0,
    isEncrypted: (flags & 0x2041) !== 0,
    method: header.readUInt16LE(10),
    crc: header.readUInt32LE(16),
    // The zip64 field has, in this order, only the values that are 0xffffffff in the header.
    size: zip64Value(header.readUInt32LE(24)),
    compressedSize: zip64Value(header.readUInt32LE(20)),
    offset: zip64Value(header.readUInt32LE(42)),
  };
}

function kindOf(name: string, mode: number): Entry["kind"] {
  const type = mode & 0o170000;
  if (type === 0o120000) return "link";
  if (/[/\\]$/.test(name) || type === 0o040000) return "folder";
  return type === 0 || type === 0o100000 ? "file" : "special";
}

function zip64Values(field: Buffer | undefined): (short: number) => number {
  let at = 0;
  return (short) => {
    if (short !== 0xffffffff || field === undefined) return short;
    if (at + 8 > field.length) throw broken("a zip64 field is truncated");
    at += 8;
    return safeInteger(field.readBigUInt64LE(at - 8));
  };
}

function extraFields(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (end > bytes.length) break;
    fields.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function safeInteger(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw broken("a number in it is too large");
  return Number(value);
}

/** Reads `size` bytes at a position. Throws a `DamagedArchive` when the file ends before. */
export async function readAt(file: FileHandle, position: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await file.read(bytes, done, size - done, position + done);
    if (bytesRead === 0) throw broken("it is truncated");
    done += bytesRead;
  }
  return bytes;
}

function broken(what: string): DamagedArchive {
  return new DamagedArchive(`The archive is damaged: ${what}`);
}

/** Code page 437 from 0x80 on: the encoding of names without the UTF-8 flag (APPNOTE D.1). */
const upperHalf =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** What the directory records about the encoding of a name. */
interface NameFacts {
  /** Bit 11 of the flags. */
  readonly utf8: boolean;
  /** Whether the archive was made on Unix, whose tools write names as they are on disk, nearly always in UTF-8. */
  readonly unix: boolean;
  /** The Unicode path extra field (0x7075), if any. */
  readonly unicodePath: Buffer | undefined;
}

/** Decodes a name: as UTF-8 if flagged, by the Unicode path field, as UTF-8 if from Unix and valid, else as CP437. */
function decodeName(raw: Buffer, { utf8, unix, unicodePath }: NameFacts): string {
  if (utf8) return raw.toString("utf8");
  if (unicodePath !== undefined && unicodePath.length > 5 && unicodePath[0] === 1) {
    // The field has the CRC of the name it belongs to: it is stale when a tool renamed the entry and left the field.
    if (unicodePath.readUInt32LE(1) === crc32(raw)) return unicodePath.toString("utf8", 5);
  }
  if (unix && isUtf8(raw)) return raw.toString("utf8");
  let name = "";
  for (const byte of raw) name += byte < 0x80 ? String.fromCharCode(byte) : upperHalf[byte - 0x80];
  return name;
}
