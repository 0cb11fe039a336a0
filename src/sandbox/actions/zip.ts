import { createHash } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import type { ArtifactFile } from "../state/actions.ts";

/** Writes a zip file: deflated entries, names in UTF-8, all of one fixed date. The same files give the same bytes. */
export function zipOf(files: readonly ArtifactFile[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const plain = typeof content === "string" ? Buffer.from(content) : noise(path, content);
    const packed = deflateRawSync(plain);
    const name = Buffer.from(path);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x0800, 2);
    facts.writeUInt16LE(8, 4);
    // 1 January 2026, midnight.
    facts.writeUInt16LE(((2026 - 1980) << 9) | (1 << 5) | 1, 8);
    facts.writeUInt32LE(crc32(plain), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(plain.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), facts, name, packed]);
    const more = Buffer.alloc(14);
    // The mode of a plain file, readable by all.
    more.writeUInt32LE(0o100644 * 0x10000, 6);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0003", "latin1"), facts, more, name]));
    bodies.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}

/** Bytes that do not compress and are the same every time. */
function noise(seed: string, length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let made = 0; made < length; made += 32) pieces.push(createHash("sha256").update(`${seed}${made}`).digest());
  return Buffer.concat(pieces).subarray(0, length);
}
