import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataBytes, dataPath, edgeCases } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { fileBytes, records, tongsBytes } from "./bytes.ts";

const captured = dataPath("collectd-5.12.delimited.bin");
const decode = (stdin: Uint8Array, ...words: string[]) => tongsBytes(["metrics", "decode", ...words], { stdin });

describe("metrics decode --format delimited", () => {
  test("writes readings byte for byte as collectd does", async () => {
    const { code, stdout } = await tongsBytes(["metrics", "decode", captured, "--format", "delimited"]);
    expect(code).toBe(0);
    expect(stdout.equals(dataBytes("collectd-5.12.delimited.bin"))).toBe(true);
  });

  test("writes the same reading, however it was encoded", async () => {
    for (const { name, hex } of edgeCases().filter(({ decodes }) => decodes)) {
      const given = Buffer.from(hex, "hex");
      const plain = ["--framing", "raw", "--lenient", "--format", "ndjson"];
      const expected = await decode(given, ...plain);
      const made = await decode(given, "--framing", "raw", "--lenient", "--format", "delimited");
      const again = await decode(made.stdout, "--framing", "delimited", "--lenient", "--format", "ndjson");
      expect([name, made.code, again.stdout.toString()]).toEqual([name, 0, expected.stdout.toString()]);
    }
  });

  test("keeps strings that are not UTF-8, and values that exceed the buffer", async () => {
    const strange = dataBytes("collectd-5.12.invalid-utf8.delimited.bin");
    const { stdout } = await decode(strange, "--lenient", "--format", "delimited");
    expect(stdout.equals(strange)).toBe(true);
    const values = Array.from({ length: 100_000 }, (_, index) => ({ derive: String(-index) }));
    const line = JSON.stringify({ values, identifier: { host: "h", plugin: "p", type: "t" } });
    const encoded = (await tongsBytes(["metrics", "encode"], { stdin: Buffer.from(line) })).stdout;
    const words = ["--framing", "delimited", "--format", "delimited"];
    const copied = await decode(Buffer.concat([encoded, encoded]), ...words);
    expect(copied.stdout.equals(Buffer.concat([encoded, encoded]))).toBe(true);
  });

  test("makes a smaller recording with --every, which stat and plot read", async () => {
    const cwd = emptyFolder();
    const run = (...words: string[]) => tongsBytes(["metrics", ...words], { cwd });
    const words = ["decode", captured, "--plugin", "load", "--every", "30s"];
    expect(await run(...words, "--format", "delimited", "-o", "s.bin")).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(join(cwd, "s.bin")).size).toBeLessThan(statSync(captured).size / 100);
    const direct = await run(...words, "--format", "ndjson");
    const stored = await run("decode", "s.bin");
    expect(stored.stdout.toString()).toBe(direct.stdout.toString());
    const stat = records((await run("stat", "s.bin", "--jsonl")).stdout) as { series: string }[];
    expect(stat.map(({ series }) => series)).toContain("load/load:midterm_average");
    expect(await run("plot", "s.bin", "--series", "load/load:midterm_*")).toMatchObject({ code: 0 });
  });

  test("refuses a terminal, and its own input", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "r.bin"), dataBytes("single-memory-gauge.bin"));
    const words = ["metrics", "decode", "r.bin", "--format", "delimited"];
    for (const more of [[], ["-o", "-"]]) {
      const refused = await tongsBytes([...words, ...more], { cwd, terminal: true });
      expect(refused).toMatchObject({ code: 2, stdout: Buffer.alloc(0) });
      expect(refused.stderr).toContain("Cannot write encoded readings to a terminal");
    }
    expect(await tongsBytes([...words, "-o", "r.bin"], { cwd })).toMatchObject({ code: 2 });
    expect(fileBytes(cwd, "r.bin").equals(dataBytes("single-memory-gauge.bin"))).toBe(true);
    expect(await tongsBytes([...words, "-o", "c.bin"], { cwd, terminal: true })).toMatchObject({ code: 0 });
    expect(fileBytes(cwd, "c.bin").length).toBeGreaterThan(0);
  });

  test("writes an empty recording from an empty one, and what came before damage", async () => {
    expect(await decode(new Uint8Array(), "--format", "delimited")).toMatchObject({ code: 0, stdout: Buffer.alloc(0) });
    const cut = await decode(dataBytes("collectd-5.12.delimited.bin").subarray(0, 1000), "--format", "delimited");
    expect(cut.code).toBe(13);
    expect((await decode(cut.stdout)).code).toBe(0);
  });
});
