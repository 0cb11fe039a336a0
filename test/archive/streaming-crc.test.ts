import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyArchive } from "../../src/archive/content.ts";
import { streamingCrc } from "../../src/archive/streaming-crc.ts";
import { quietSignal } from "../support/tongs.ts";
import { type ZipEntry, zip } from "../support/zip.ts";

const entries: ZipEntry[] = [
  { name: "one", content: randomBytes(500), stored: true },
  { name: "empty", stored: true },
  { name: "two", content: randomBytes(700), stored: true, extra: Buffer.from("XX\u0004\u0000abcd") },
  { name: "packed", content: "x".repeat(300) },
  { name: "three", content: randomBytes(100), stored: true },
];

/** Feeds bytes in pieces of random sizes. */
function streamedEntries(bytes: Buffer, largest: number) {
  const check = streamingCrc();
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + ((randomBytes(2).readUInt16LE(0) % largest) | 0);
    check.update(bytes.subarray(at, at + size), at);
    at += size;
  }
  return check.entries;
}

function onDisk(bytes: Buffer): string {
  const path = join(mkdtempSync(join(tmpdir(), "tongs-zip-")), "it.zip");
  writeFileSync(path, bytes);
  return path;
}

describe("checksums computed during a download", () => {
  it("cover the stored entries up to the first compressed one, however the bytes are split", async () => {
    const bytes = zip(entries);
    for (const largest of [1, 7, 64, 1000, 60_000]) {
      const streamed = streamedEntries(bytes, largest);
      expect([...streamed.values()].map(({ size }) => size)).toEqual([500, 0, 700]);
      await verifyArchive(onDisk(bytes), quietSignal(), streamed);
    }
  });

  it("detect a wrong byte in a stored entry", async () => {
    const bytes = zip(entries);
    bytes.writeUInt8((bytes[100] ?? 0) ^ 1, 100);
    await expect(verifyArchive(onDisk(bytes), quietSignal(), streamedEntries(bytes, 50))).rejects.toMatchObject({
      code: "damaged_archive",
      message: expect.stringContaining("'one': the checksum does not match"),
    });
  });

  it("stop at a gap, and restart at position 0", () => {
    const bytes = zip(entries);
    const check = streamingCrc();
    check.update(bytes.subarray(0, 540), 0);
    check.update(bytes.subarray(600), 600);
    expect(check.entries.size).toBe(1);
    check.update(bytes, 0);
    expect(check.entries.size).toBe(3);
  });
});
