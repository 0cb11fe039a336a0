import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { identityParts, type Named, partOf } from "../reading/identity.ts";
import { varint } from "../wire/fields.ts";
import { decodeText, encodeText } from "../wire/text.ts";

/**
 * The index of a recording lies beside it. After `indexHead` come records, each of a block of the recording: a fixed part
 * of 64 bytes in little-endian doubles and integers, as in `indexRecord`; then, in varints, the series that no block before
 * had (host, plugin, plugin instance, type, type instance and names of data sources) and the numbers of all its series, as
 * differences. Series are numbered as they come; those beyond `maxSeries` have its number, and no name. The last four bytes
 * of the fixed part are the CRC-32 of the rest of the record.
 */
export const indexHead = Buffer.from("TIX3\0\0\0\0");

/** The name of the index of a recording. */
export function indexPath(recording: string): string {
  return `${recording}.index`;
}

/** A block of a recording: bytes, messages, and the range of its times in seconds since 1970. */
export interface IndexBlock extends Mark {
  readonly from: number;
  readonly to: number;
  /** How many messages are before it, and in it. */
  readonly messages: number;
  readonly count: number;
  readonly since: number;
  readonly until: number;
}

/** What the start of a block is recognized by: the number of its first bytes, and their hash. */
interface Mark {
  readonly marked: number;
  readonly hash: number;
}

/** The blocks of an index. */
export interface LoadedIndex {
  readonly blocks: readonly IndexBlock[];
  /** How many of its bytes were read; what follows is the start of a record. */
  readonly size: number;
  /** Calls `take` for each series, in the order of their numbers. */
  readonly eachSeries: (take: (series: Named) => void) => void;
  /** The blocks that pass `test` and have a series that passes `wanted`; undefined if no series does. */
  readonly having: (
    test: (block: IndexBlock) => boolean,
    wanted: (series: Named) => boolean,
  ) => readonly IndexBlock[] | undefined;
}

const fixedSize = 64;
const checksumAt = 60;
const maxMark = 64;

/** The mark of a block whose first message, with its length, is `bytes`: FNV-1a of at most 64 bytes. */
export function markOf(bytes: Uint8Array): Mark {
  const marked = Math.min(bytes.length, maxMark);
  let hash = 0x811c9dc5;
  for (let at = 0; at < marked; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return { marked, hash: hash >>> 0 };
}

/** Whether the block is in the open recording where the index says. */
export function isThere(fd: number, { from, marked, hash }: IndexBlock): boolean {
  const bytes = new Uint8Array(marked);
  return readSync(fd, bytes, 0, marked, from) === marked && markOf(bytes).hash === hash;
}

/** The record of a block. */
export function indexRecord(block: IndexBlock, added: readonly Named[], members: readonly number[]): Uint8Array {
  const body: number[] = [];
  const put = (value: number) => varint(value, body);
  put(added.length);
  for (const one of added) {
    const texts = [...identityParts.map((part) => partOf(one, part)), ...one.ds_names].map(encodeText);
    put(texts.length);
    for (const text of texts) {
      put(text.length);
      for (const byte of text) body.push(byte);
    }
  }
  put(members.length);
  for (const [index, member] of members.entries()) put(member - (members[index - 1] ?? 0));
  const record = Buffer.alloc(fixedSize + body.length);
  const numbers = [block.from, block.to, block.messages, block.count, block.since, block.until];
  for (const [index, value] of numbers.entries()) record.writeDoubleLE(value, index * 8);
  for (const [index, value] of [block.marked, block.hash, body.length].entries())
    record.writeUInt32LE(value, 48 + index * 4);
  record.set(body, fixedSize);
  record.writeUInt32LE(checksumOf(record), checksumAt);
  return record;
}

function checksumOf(record: Buffer): number {
  return crc32(record.subarray(fixedSize), crc32(record.subarray(0, checksumAt)));
}

/** Reads an index; undefined if it is none, or damaged. Ends before a record that is not complete. */
export function readIndex(bytes: Buffer): LoadedIndex | undefined {
  if (!bytes.subarray(0, indexHead.length).equals(indexHead)) return undefined;
  const blocks: IndexBlock[] = [];
  const bodies: number[] = [];
  let size = indexHead.length;
  while (size + fixedSize <= bytes.length) {
    const next = size + fixedSize + bytes.readUInt32LE(size + 56);
    const double = (index: number) => bytes.readDoubleLE(size + index * 8);
    if (next > bytes.length) break;
    const isSound = checksumOf(bytes.subarray(size, next)) === bytes.readUInt32LE(size + checksumAt);
    if (!isSound || double(0) !== (blocks.at(-1)?.to ?? 0)) return undefined;
    blocks.push({
      from: double(0),
      to: double(1),
      messages: double(2),
      count: double(3),
      since: double(4),
      until: double(5),
      marked: bytes.readUInt32LE(size + 48),
      hash: bytes.readUInt32LE(size + 52),
    });
    bodies.push(size + fixedSize);
    size = next;
  }

  let at = 0;
  function take(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
  function takeText(): string {
    const length = take();
    at += length;
    return decodeText(bytes.subarray(at - length, at));
  }
  /** The series that the body at `body` adds; `at` is then at the numbers of all. */
  function takeAdded(body: number): Named[] {
    at = body;
    return Array.from({ length: take() }, () => {
      const [host = "", plugin = "", plugin_instance = "", type = "", type_instance = "", ...ds_names] = Array.from(
        { length: take() },
        takeText,
      );
      return { identifier: { host, plugin, plugin_instance, type, type_instance }, ds_names };
    });
  }

  return {
    blocks,
    size,
    eachSeries: (take) => {
      for (const body of bodies) takeAdded(body).forEach(take);
    },
    having: (test, wanted) => {
      const isWanted: boolean[] = [];
      const found = blocks.filter((block, index) => {
        for (const one of takeAdded(bodies[index] ?? 0)) isWanted.push(wanted(one));
        if (!test(block)) return false;
        let number = 0;
        for (let left = take(); left > 0; left -= 1) {
          number += take();
          // Of a series that is not listed nothing is known.
          if (isWanted[number] !== false) return true;
        }
        return false;
      });
      return isWanted.includes(true) ? found : undefined;
    },
  };
}
