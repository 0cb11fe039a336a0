import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { dataBytes } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { tongsBytes } from "./bytes.ts";

const json = dataBytes("collectd-5.12.delimited.ndjson");
const filled = (start: string) => Buffer.concat([Buffer.from(start, "hex"), Buffer.alloc(2000, 0xa7)]);
const putval = 'PUTVAL "h/load/load" interval=10 1768600000:1:2:3\n';
const formats: readonly (readonly [what: string, bytes: Uint8Array, hint: string])[] = [
  ["a zip file", filled("504b0304"), "unzip -p FILE | tongs"],
  ["an xz file", filled("fd377a585a00"), "xz -dc FILE | tongs"],
  ["a bzip2 file", filled("425a6839"), "bzip2 -dc FILE | tongs"],
  ["an lz4 file", filled("04224d18"), "lz4 -dc FILE | tongs"],
  ["an RRD", filled("5252440030303033"), "tongs metrics import --rrd DIR"],
  ["a pcapng file", filled("0a0d0d0a1c000000"), "tcpdump -r FILE -w NEW"],
  ["JSON", json, "tongs metrics encode FILE"],
  ["JSON", Buffer.from('[\n  { "values": [] }\n]\n'), "tongs metrics encode FILE"],
  ["text of collectd's PUTVAL lines", Buffer.from(putval), "tongs metrics encode FILE"],
  ["a CSV file", Buffer.from("time,host,plugin\n2026-11-21T07:00:00Z,h,load\n"), "duckdb"],
  ["text", Buffer.from("Pärt of a léttér\nsecond line\n".repeat(100)), "Only encoded readings"],
];

describe("what is not readings", () => {
  test.each(formats)("%s is named, with what reads it", async (what, bytes, hint) => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "file"), bytes);
    writeFileSync(join(cwd, "file.gz"), gzipSync(bytes));
    for (const file of ["file", "file.gz"]) {
      const { code, stdout, stderr } = await tongsBytes(["metrics", "decode", file], { cwd });
      expect([code, stdout.length]).toEqual([13, 0]);
      expect(stderr).toContain(`${file}: This is ${what}, not readings`);
      expect(stderr).toContain(hint);
    }
    for (const words of [["--skip-errors"], ["--framing", "delimited"], ["--framing", "network"]]) {
      const { code, stderr } = await tongsBytes(["metrics", "stat", ...words], { stdin: bytes });
      expect([code, stderr], words.join(" ")).toEqual([13, expect.stringContaining(`standard input: This is ${what}`)]);
    }
  });

  test("does not keep the next file from being read", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "a.json"), json);
    writeFileSync(join(cwd, "a.bin"), dataBytes("single-uptime.bin"));
    const { code, stdout } = await tongsBytes(["metrics", "decode", "a.json", "a.bin"], { cwd });
    expect([code, stdout.toString().split("\n").length]).toEqual([13, 2]);
  });
});
