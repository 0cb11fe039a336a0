import { crc32 } from "node:zlib";

/** The position, size and CRC of the content of a stored entry. */
export interface StreamedEntry {
  readonly start: number;
  readonly size: number;
  readonly crc: number;
}

/** Computes the CRCs of the stored entries of an archive while it is downloaded. */
export interface StreamingCrc {
  /** Adds bytes and their position in the archive. A gap ends the computation; position 0 restarts it. */
  update(piece: Buffer, position: number): void;
  /** The finished entries by their offsets. */
  readonly entries: ReadonlyMap<number, StreamedEntry>;
}

/**
 * Saves reading a large stored archive again to check it. It goes from local header to local header and stops at the first
 * entry that is compressed or has no size in its header; `verifyArchive` reads the others from disk.
 */
export function streamingCrc(): StreamingCrc {
  const entries = new Map<number, StreamedEntry>();
  let expected = 0;
  let head: Buffer = Buffer.alloc(0);
  let entry: { offset: number; start: number; size: number; left: number; crc: number } | undefined;
  let stopped = false;

  function restart(): void {
    entries.clear();
    head = Buffer.alloc(0);
    [expected, entry, stopped] = [0, undefined, false];
  }

  /** Consumes the bytes of the current entry or of the next header, and returns the rest. */
  function consume(piece: Buffer, position: number): Buffer {
    if (entry === undefined) {
      head = Buffer.concat([head, piece]);
      const offset = position + piece.length - head.length;
      if (head.length < 30) return piece.subarray(piece.length);
      const start = 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
      const plain =
        head.readUInt32LE(0) === 0x04034b50 && (head.readUInt16LE(6) & 8) === 0 && head.readUInt16LE(8) === 0;
      const size = head.readUInt32LE(18);
      stopped = !plain || size === 0xffffffff;
      if (stopped || head.length < start) return piece.subarray(piece.length);
      const rest = head.subarray(start);
      head = Buffer.alloc(0);
      entry = { offset, start: offset + start, size, left: size, crc: 0 };
      return rest;
    }
    const own = piece.subarray(0, entry.left);
    entry.crc = crc32(own, entry.crc);
    entry.left -= own.length;
    return piece.subarray(own.length);
  }

  return {
    entries,
    update(piece, position) {
      if (position === 0) restart();
      else if (position !== expected) stopped = true;
      expected = position + piece.length;
      for (let rest = piece; !stopped; ) {
        rest = consume(rest, expected - rest.length);
        if (entry?.left === 0) {
          entries.set(entry.offset, { start: entry.start, size: entry.size, crc: entry.crc });
          entry = undefined;
        }
        if (rest.length === 0) break;
      }
    },
  };
}
