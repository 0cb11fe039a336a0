import { crc32 } from "node:zlib";

/** Where the content of a stored entry lies, and its CRC. */
export interface Passed {
  readonly start: number;
  readonly size: number;
  readonly crc: number;
}

/** Checksums of stored entries, made of the bytes of an archive as they pass by. */
export interface StreamingCrc {
  /** The next bytes and where in the archive they stand; a gap ends it, the beginning begins it anew. */
  take(piece: Buffer, position: number): void;
  /** By the offset of the entry. */
  readonly passed: ReadonlyMap<number, Passed>;
}

/**
 * Saves reading a large stored archive again to check it. Goes from local header to local header as long as the entries
 * are stored and say how long they are; whatever it has not seen is read from the disk afterwards as usual.
 */
export function streamingCrc(): StreamingCrc {
  const passed = new Map<number, Passed>();
  let expected = 0;
  let head: Buffer = Buffer.alloc(0);
  let entry: { offset: number; start: number; size: number; left: number; crc: number } | undefined;
  let off = false;

  function begin(): void {
    passed.clear();
    head = Buffer.alloc(0);
    [expected, entry, off] = [0, undefined, false];
  }

  /** Takes what belongs to the entry under way, or to the next header; returns the rest. */
  function step(piece: Buffer, position: number): Buffer {
    if (entry === undefined) {
      head = Buffer.concat([head, piece]);
      const offset = position + piece.length - head.length;
      if (head.length < 30) return piece.subarray(piece.length);
      const start = 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
      const plain =
        head.readUInt32LE(0) === 0x04034b50 && (head.readUInt16LE(6) & 8) === 0 && head.readUInt16LE(8) === 0;
      const size = head.readUInt32LE(18);
      off = !plain || size === 0xffffffff;
      if (off || head.length < start) return piece.subarray(piece.length);
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
    passed,
    take(piece, position) {
      if (position === 0) begin();
      else if (position !== expected) off = true;
      expected = position + piece.length;
      for (let rest = piece; !off; ) {
        rest = step(rest, expected - rest.length);
        if (entry?.left === 0) {
          passed.set(entry.offset, { start: entry.start, size: entry.size, crc: entry.crc });
          entry = undefined;
        }
        if (rest.length === 0) break;
      }
    },
  };
}
