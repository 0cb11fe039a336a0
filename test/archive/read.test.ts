import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openArchive } from "../../src/archive/archive.ts";
import { zip } from "../support/zip.ts";
import { executable, tree, unpack } from "./unpacked.ts";

describe("a zip archive", () => {
  it("unpacks stored and deflated entries, folders and an empty file", async () => {
    const bytes = zip([
      { name: "a/", stored: true },
      { name: "a/stored.txt", content: "as it is", stored: true },
      { name: "a/deflated.txt", content: "x".repeat(5000) },
      { name: "empty" },
      { name: "hollow/", stored: true },
    ]);
    const { into, error } = await unpack(bytes);
    expect(error).toBeUndefined();
    expect(tree(into)).toEqual({
      "a/": "",
      "a/stored.txt": "as it is",
      "a/deflated.txt": "x".repeat(5000),
      empty: "",
      "hollow/": "",
    });
  });

  it("unpacks large stored and deflated entries unchanged", async () => {
    const noise = randomBytes(6 * 1024 * 1024).toString("latin1");
    const bytes = zip([
      { name: "stored.bin", content: Buffer.from(noise, "latin1"), stored: true },
      { name: "deflated.bin", content: Buffer.from(noise, "latin1") },
    ]);
    const { into, error } = await unpack(bytes);
    expect(error).toBeUndefined();
    const found = tree(into);
    expect(found["stored.bin"] === noise && found["deflated.bin"] === noise).toBe(true);
  });

  it("can have data descriptors, zip64 fields, a zip64 end record and a comment", async () => {
    const bytes = zip(
      [
        { name: "one", content: "first", descriptor: true },
        { name: "two", content: "second", zip64: true },
        { name: "three", content: "third", zip64: true, descriptor: true, extra: Buffer.from("XX\u0004\u0000abcd") },
      ],
      { zip64: true, comment: "made for a test" },
    );
    const { into, error } = await unpack(bytes);
    expect(error).toBeUndefined();
    expect(tree(into)).toEqual({ one: "first", two: "second", three: "third" });
  });

  it("can have more entries than its 16-bit count says", async () => {
    const entries = Array.from({ length: 0x10001 }, (_, index) => ({ name: `${index}`, stored: true }));
    const path = join(mkdtempSync(join(tmpdir(), "tongs-zip-")), "it.zip");
    writeFileSync(path, zip(entries, { count: 1 }));
    const archive = await openArchive(path, { max: 100_000 });
    await archive.close();
    expect(archive.entries.map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
  });

  it("can have a broken extra field, and a comment that looks like an end record", async () => {
    const extra = Buffer.from("XX\u00ff\u0000abcd", "latin1");
    const { into, error } = await unpack(
      zip([{ name: "a", content: "b", extra }], { comment: `PK\u0005\u0006${"x".repeat(40)}` }),
    );
    expect(error).toBeUndefined();
    expect(tree(into)).toEqual({ a: "b" });
  });

  it("keeps the executable bit and no other mode bits", async () => {
    const { into } = await unpack(
      zip([
        { name: "run", content: "#!", mode: 0o104755 },
        { name: "read", content: "text", mode: 0o100644 },
      ]),
    );
    expect(executable(join(into, "run"))).toBe(true);
    expect(executable(join(into, "read"))).toBe(false);
  });

  it("has names in UTF-8 if flagged or from Unix, else in code page 437", async () => {
    const unicode = Buffer.from("zażółć", "utf8");
    const legacy = Buffer.from("za?", "latin1");
    const field = Buffer.alloc(5);
    field.writeUInt8(1, 0);
    field.writeUInt32LE(crc32(legacy), 1);
    const extra = Buffer.concat([Buffer.from([0x75, 0x70, 5 + unicode.length, 0]), field, unicode]);
    const { into } = await unpack(
      zip([
        { name: "grün", utf8: true },
        { name: "größe", mode: 0o100644 },
        { name: Buffer.from([0x81, 0x62, 0x65, 0x72, 0x9b]) },
        { name: legacy, extra },
      ]),
    );
    expect(Object.keys(tree(into)).sort()).toEqual(["größe", "grün", "zażółć", "über¢"].sort());
  });

  it.each([
    ["nothing", Buffer.alloc(0), "The file is empty"],
    ["a web page", Buffer.from("<html>no</html>"), "The file is not a zip archive"],
    ["only its beginning", zip([{ name: "a", content: "b" }]).subarray(0, 40), "The file is not a zip archive"],
    ["a wrong checksum", zip([{ name: "a", content: "b", crc: 1 }]), "'a': the checksum does not match"],
    [
      "a recorded size that is too small",
      zip([{ name: "a", content: "bbbb", size: 2 }]),
      "'a': it is larger than recorded",
    ],
    [
      "a recorded size that is too large",
      zip([{ name: "a", content: "b", size: 9 }]),
      "'a': it is smaller than recorded",
    ],
    ["a wrong large checksum", zip([{ name: "a", content: "b".repeat(5e6), crc: 1 }]), "the checksum does not match"],
    ["a wrong large size", zip([{ name: "a", content: "b".repeat(5e6), size: 49e5 }]), "it is larger than recorded"],
    [
      "another name in the local header",
      zip([{ name: "a", content: "b", localName: "c" }]),
      "its name differs in the local header",
    ],
    [
      "a longer name in the local header of a large entry",
      zip([{ name: "a", content: "b".repeat(5e6), localName: "a.exe" }]),
      "its name differs in the local header",
    ],
    ["a number of entries that is too large", zip([{ name: "a" }], { count: 3 }), "the number of entries is wrong"],
    [
      "a number of entries that is too small",
      zip([{ name: "a" }, { name: "b" }], { count: 1 }),
      "the number of entries is wrong",
    ],
    [
      "overlapping entries",
      zip([
        { name: "a", content: "b" },
        { name: "a2", content: "b", at: 0 },
      ]),
      "entries overlap",
    ],
  ])("is reported as damaged with %s, and nothing is written", async (_what, bytes, words) => {
    const { into, error } = await unpack(bytes, { before: () => undefined });
    expect(error).toMatchObject({ code: "damaged_archive", message: expect.stringContaining(words) });
    expect(treeIfAny(into)).toEqual({});
  });

  it("is reported as damaged when any byte of its content is changed", async () => {
    const content = randomBytes(400);
    const good = zip([{ name: "noise.bin", content, stored: true }]);
    for (let at = 39; at < 39 + content.length; at += 13) {
      const bad = Buffer.from(good);
      bad.writeUInt8((bad[at] ?? 0) ^ 0x40, at);
      const { error } = await unpack(bad);
      expect(error).toMatchObject({ code: "damaged_archive" });
    }
  });

  it("never unpacks to other content or crashes after random damage", async () => {
    const texts = ["", "tide tables, long enough to deflate, tide tables", randomBytes(64).toString("hex")];
    const good = zip([
      { name: "a.txt", content: texts[1] ?? "" },
      { name: "b/c.txt", content: texts[2] ?? "", stored: true, descriptor: true, mode: 0o100755 },
    ]);
    for (let round = 0; round < 300; round += 1) {
      const bad = Buffer.from(good);
      const [at = 0, value = 0] = randomBytes(2).map((byte, index) => (index === 0 ? byte % bad.length : byte));
      bad.writeUInt8(value, at);
      const { into, error } = await unpack(bad);
      if (error !== undefined) expect(error).toHaveProperty("exit");
      else for (const content of Object.values(tree(into))) expect(texts).toContain(content);
    }
  });
});

function treeIfAny(into: string): Record<string, string> {
  try {
    return tree(into);
  } catch {
    return {};
  }
}
