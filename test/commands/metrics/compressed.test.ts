import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import * as zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { dataBytes, dataLines } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { tongsBytes } from "./bytes.ts";

const plain = dataBytes("collectd-5.12.delimited.bin");
const half = plain.subarray(0, 200_000);
const packed = zlib.gzipSync(plain);
const hasZstd = "createZstdDecompress" in zlib;

/** A zstd frame whose blocks are stored as they are (RFC 8878, 3.1.1). */
function zstdStored(bytes: Uint8Array): Buffer {
  const parts = [Buffer.from("28b52ffd0050", "hex")];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const block = bytes.subarray(at, at + 65_536);
    const head = Buffer.alloc(3);
    head.writeUIntLE(block.length * 8 + (at + 65_536 >= bytes.length ? 1 : 0), 0, 3);
    parts.push(head, Buffer.from(block));
  }
  return Buffer.concat(parts);
}

function folderWith(files: Readonly<Record<string, Uint8Array>>): string {
  const cwd = emptyFolder();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(cwd, name), bytes);
  return cwd;
}

describe("compressed readings", () => {
  test("of a gzip file, and of one with several members, are those of the recording", async () => {
    const members = Buffer.concat([zlib.gzipSync(half), zlib.gzipSync(plain.subarray(half.length))]);
    const cwd = folderWith({ "a.bin": plain, "a.gz": packed, "b.gz": members });
    const [one, two, three] = await Promise.all(
      ["a.bin", "a.gz", "b.gz"].map((file) => tongsBytes(["metrics", "decode", file], { cwd })),
    );
    expect([one?.code, two?.code, three?.code]).toEqual([0, 0, 0]);
    expect(two?.stdout.equals(one?.stdout ?? Buffer.alloc(0))).toBe(true);
    expect(three?.stdout.equals(one?.stdout ?? Buffer.alloc(0))).toBe(true);
  });

  test("of a gzip file are read by each verb that reads files", async () => {
    const text = zlib.gzipSync(dataLines("collectd-5.12.delimited.ndjson").slice(0, 3).join("\n"));
    const cwd = folderWith({ "a.gz": packed, "a.bin": plain, "text.gz": text });
    const same = async (...words: string[]) => {
      const [one, other] = await Promise.all(
        ["a.bin", "a.gz"].map((file) => tongsBytes(["metrics", ...words, file], { cwd, now: new Date(0) })),
      );
      expect([one?.code, one?.stdout.equals(other?.stdout ?? Buffer.alloc(0))], words[0]).toEqual([0, true]);
    };
    await same("stat", "--csv");
    await same("plot", "--series", "*/load/load");
    await same("report", "-o", "-");
    const encoded = await tongsBytes(["metrics", "encode", "text.gz"], { cwd });
    expect([encoded.code, plain.subarray(0, encoded.stdout.length).equals(encoded.stdout)]).toEqual([0, true]);
  });

  test("come from a pipe in pieces, as gRPC frames and as one message", async () => {
    for (const name of ["collectd-5.12.grpc.bin", "single-uptime.bin"]) {
      const stdin = new PassThrough();
      const bytes = zlib.gzipSync(dataBytes(name));
      const run = tongsBytes(["metrics", "decode"], { stdin });
      stdin.write(bytes.subarray(0, 1));
      stdin.write(bytes.subarray(1, 9));
      stdin.end(bytes.subarray(9));
      const expected = await tongsBytes(["metrics", "decode"], { stdin: dataBytes(name) });
      expect((await run).stdout.equals(expected.stdout), name).toBe(true);
    }
  });

  test("before damage are all printed, of a file up to the very byte, and of a pipe if it was cut", async () => {
    const head = packed.subarray(0, 10);
    const flush = zlib.deflateRawSync(half, { finishFlush: zlib.constants.Z_FULL_FLUSH });
    // Compressed data goes on with a kind of block that there is not.
    const unknownBlock = Buffer.concat([head, flush, Buffer.alloc(40_000, 0xff)]);
    const wrongSum = Buffer.from(packed);
    wrongSum.fill(0xff, packed.length - 8, packed.length - 4);
    const cut = packed.subarray(0, 60_000);
    const soundOfCut = zlib.gunzipSync(cut, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    const cwd = folderWith({ "block.gz": unknownBlock, "sum.gz": wrongSum, "cut.gz": cut });
    for (const [name, sound] of [
      ["block.gz", half] as const,
      ["sum.gz", plain] as const,
      ["cut.gz", soundOfCut] as const,
    ]) {
      const expected = await tongsBytes(["metrics", "decode"], { stdin: sound });
      const ran = await tongsBytes(["metrics", "decode", name], { cwd });
      expect([ran.code, ran.stdout.equals(expected.stdout)], name).toEqual([13, true]);
      expect(ran.stderr).toContain("cannot decompress this gzip file");
    }
    const expected = await tongsBytes(["metrics", "decode"], { stdin: soundOfCut });
    const piped = await tongsBytes(["metrics", "decode"], { stdin: cut });
    expect([piped.code, piped.stdout.equals(expected.stdout)]).toEqual([13, true]);
  });

  test("of a file that is damaged near its start are printed, too", async () => {
    const few = dataBytes("single-uptime.bin");
    const framed = Buffer.concat([Buffer.from([few.length]), few]);
    const flush = zlib.deflateRawSync(framed, { finishFlush: zlib.constants.Z_FULL_FLUSH });
    const cwd = folderWith({ "a.gz": Buffer.concat([packed.subarray(0, 10), flush, Buffer.alloc(9, 0xff)]) });
    const { code, stdout } = await tongsBytes(["metrics", "decode", "a.gz"], { cwd });
    expect([code, stdout.toString()]).toEqual([13, expect.stringContaining('"plugin":"uptime"')]);
  });

  test("with something else behind them are printed, and a sentence says so", async () => {
    const files = [["a.gz", packed] as const, ...(hasZstd ? [["a.zst", zstdStored(plain)] as const] : [])];
    for (const [name, bytes] of files) {
      for (const rest of ["garbage", ...(name === "a.zst" ? [zstdStored(half)] : [])]) {
        const cwd = folderWith({ [name]: Buffer.concat([bytes, Buffer.from(rest)]) });
        const { code, stdout, stderr } = await tongsBytes(["metrics", "decode", name], { cwd });
        expect(code).toBe(13);
        expect(stdout.equals((await tongsBytes(["metrics", "decode"], { stdin: plain })).stdout)).toBe(true);
        expect(stderr).toMatch(/incorrect header check|more data follows its end/);
      }
    }
  });

  test("stop at --count without reading the rest", async () => {
    const cwd = folderWith({ "a.gz": packed.subarray(0, 60_000) });
    const { code, stdout } = await tongsBytes(["metrics", "decode", "a.gz", "--count", "1"], { cwd });
    expect([code, stdout.toString().split("\n").length]).toEqual([0, 2]);
  });

  test("of a zstd file are read where Node has zstd; elsewhere a sentence says what reads it", async () => {
    const cwd = folderWith({ "a.zst": zstdStored(plain), "a.bin": plain });
    const { code, stdout, stderr } = await tongsBytes(["metrics", "decode", "a.zst"], { cwd });
    if (hasZstd) {
      const expected = await tongsBytes(["metrics", "decode", "a.bin"], { cwd });
      expect([code, stdout.equals(expected.stdout)]).toEqual([0, true]);
    } else {
      expect([code, stdout.length]).toEqual([13, 0]);
      expect(stderr).toMatch(/a\.zst: This is a zstd file, which Node \S+ cannot read\n.*zstd -dc FILE/);
    }
  });
});
