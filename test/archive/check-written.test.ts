import { randomBytes } from "node:crypto";
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/archive/archive.ts";
import { checkWritten } from "../../src/archive/unpack.ts";
import { quietSignal } from "../support/tongs.ts";

const content = randomBytes(3_000_000);

function entry(bytes: Buffer): Entry {
  return {
    name: "a.bin",
    rawName: Buffer.from("a.bin"),
    kind: "file",
    isExecutable: false,
    isEncrypted: false,
    method: 0,
    crc: crc32(bytes),
    compressedSize: bytes.length,
    size: bytes.length,
    offset: 0,
  };
}

function onDisk(bytes: Buffer): string {
  const path = join(mkdtempSync(join(tmpdir(), "tongs-written-")), "a.bin");
  writeFileSync(path, bytes);
  return path;
}

describe("a file written for an entry", () => {
  it("is accepted if it has the size and CRC of the entry", async () => {
    for (const bytes of [content, Buffer.alloc(0), Buffer.from("x")]) {
      await expect(checkWritten(onDisk(bytes), entry(bytes), quietSignal())).resolves.toBeUndefined();
    }
  });

  it.each([
    ["empty", Buffer.alloc(0), "0 bytes instead of 3000000"],
    ["doubled", Buffer.concat([content, content]), "6000000 bytes instead of"],
    ["mixed", Buffer.concat([content.subarray(1), Buffer.from("x")]), "the checksum does not match"],
  ])("is refused when it is %s", async (_what, bytes, words) => {
    await expect(checkWritten(onDisk(bytes), entry(content), quietSignal())).rejects.toMatchObject({
      code: "wrong_content",
      message: expect.stringContaining(words),
    });
  });

  it("is never read through a link", async () => {
    const path = onDisk(content);
    symlinkSync(path, `${path}.link`);
    await expect(checkWritten(`${path}.link`, entry(content), quietSignal())).rejects.toMatchObject({ code: "ELOOP" });
  });
});
