import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/** Writes a zip archive of one stored entry of so many MiB of noise, piece by piece. */
export function storedZip(path, megabytes) {
  const noise = randomBytes(1024 * 1024);
  const size = megabytes * noise.length;
  let crc = 0;
  for (let index = 0; index < megabytes; index += 1) crc = crc32(noise, crc);
  const fd = openSync(path, "w");
  const local = Buffer.alloc(31);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt32LE(crc, 14);
  local.writeUInt32LE(size, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(1, 26);
  local.write("n", 30);
  writeSync(fd, local);
  for (let index = 0; index < megabytes; index += 1) writeSync(fd, noise);
  const tail = Buffer.alloc(47 + 22);
  tail.writeUInt32LE(0x02014b50, 0);
  local.copy(tail, 16, 14, 28);
  tail.write("n", 46);
  tail.writeUInt32LE(0x06054b50, 47);
  tail.writeUInt16LE(1, 55);
  tail.writeUInt16LE(1, 57);
  tail.writeUInt32LE(47, 59);
  tail.writeUInt32LE(31 + size, 63);
  writeSync(fd, tail);
  closeSync(fd);
}
