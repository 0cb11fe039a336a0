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

/** Lets bytes pass in pieces of random sizes. */
function passing(bytes: Buffer, largest: number) {
  const check = streamingCrc();
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + ((randomBytes(2).readUInt16LE(0) % largest) | 0);
    check.take(bytes.subarray(at, at + size), at);
    at += size;
  }
  return check.passed;
}

function onDisk(bytes: Buffer): string {
  const path = join(mkdtempSync(join(tmpdir(), "tongs-zip-")), "it.zip");
  writeFileSync(path, bytes);
  return path;
}

describe("the checksums of an archive that passes by", () => {
  it("are those of its stored entries up to the first other one, however its bytes are cut", async () => {
    const bytes = zip(entries);
    for (const largest of [1, 7, 64, 1000, 60_000]) {
      const passed = passing(bytes, largest);
      expect([...passed.values()].map(({ size }) => size)).toEqual([500, 0, 700]);
      await verifyArchive(onDisk(bytes), quietSignal(), passed);
    }
  });

  it("find a wrong byte in a stored entry", async () => {
    const bytes = zip(entries);
    bytes.writeUInt8((bytes[100] ?? 0) ^ 1, 100);
    await expect(verifyArchive(onDisk(bytes), quietSignal(), passing(bytes, 50))).rejects.toMatchObject({
      code: "damaged_archive",
      message: expect.stringContaining("'one': its checksum differs"),
    });
  });

  it("say nothing of what comes after a gap, and begin anew at the beginning", () => {
    const bytes = zip(entries);
    const check = streamingCrc();
    check.take(bytes.subarray(0, 540), 0);
    check.take(bytes.subarray(600), 600);
    expect(check.passed.size).toBe(1);
    check.take(bytes, 0);
    expect(check.passed.size).toBe(3);
  });
});
