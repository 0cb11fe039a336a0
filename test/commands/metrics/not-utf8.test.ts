import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, reading, tongsBytes } from "./bytes.ts";

const bad = "b\xff";

/** A folder with readings of three hosts; the name of the second one is not UTF-8. */
async function recorded(): Promise<string> {
  const cwd = emptyFolder();
  const of = (host: string, second: number, gauge: number) =>
    reading([{ gauge }], second, { interval: "10s", identifier: { host, plugin: "p", type: "t" } });
  const sound = await encoded(of("a", 10, 1), of("b!", 10, 2), of("c", 10, 3), of("b!", 20, 2), of("a", 20, 99));
  // In place, so that all lengths stay.
  writeFileSync(join(cwd, "r.bin"), Buffer.from(sound.toString("latin1").replaceAll("b!", bad), "latin1"));
  return cwd;
}

describe("a name that is not UTF-8", () => {
  const run = async (...words: string[]) => {
    const ran = await tongsBytes(["metrics", ...words], { cwd: await recorded() });
    return { code: ran.code, out: ran.stdout.toString(), stderr: ran.stderr };
  };

  test("does not hide what follows it from what does not select it", async () => {
    const critical = await run("check", "a/p/t", "r.bin", "--crit", "50");
    expect(critical).toMatchObject({ code: 2, out: expect.stringContaining("p/t is 99") });
    expect(await run("stat", "r.bin", "--host", "a", "--jq", ".[].count")).toEqual({ code: 0, out: "2\n", stderr: "" });
    expect((await run("plot", "r.bin", "--series", "a/p/t")).code).toBe(0);
    const decoded = await run("decode", "r.bin", "--host", "[ac]", "--format", "csv");
    expect([decoded.code, decoded.out.trimEnd().split("\n").length]).toEqual([0, 4]);
    expect((await run("decode", "r.bin", "--host", "a", "--every", "1m")).code).toBe(0);
    expect((await run("decode", "r.bin", "--since", "2027-01-01")).code).toBe(0);
  });

  test("is an error of what selects it", async () => {
    const message = "a string is not valid UTF-8 (byte 0xFF)";
    for (const words of [["stat"], ["stat", "--host", "*"], ["decode", "--host", "b*"], ["plot", "--series", "*"]])
      expect(await run(...words, "r.bin")).toMatchObject({ code: 13, stderr: expect.stringContaining(message) });
    // In time, after readings of its series that were not.
    expect(await run("decode", "r.bin", "--since", "2026-01-01T00:00:15Z")).toMatchObject({ code: 13 });
    const checked = await run("check", "*", "r.bin", "--crit", "50");
    expect([checked.code, checked.out]).toEqual([3, expect.stringContaining(message)]);
  });

  test.each([
    ["stat", "--json"],
    ["stat", "--json", "--host", "b?"],
    ["plot", "--series", "*", "--width", "60", "--utc"],
    ["report", "-o", "-"],
    ["decode", "--format", "csv", "--host", "b[!x]"],
  ])("is shown alike of a recording, a Parquet file and a dataset: %s %s %s", async (verb, ...words) => {
    const cwd = await recorded();
    const decode = ["metrics", "decode", "r.bin", "--lenient", "--format", "parquet", "-o"];
    for (const to of [["r.parquet"], ["set", "--partition-by", "host"]])
      expect((await tongsBytes([...decode, ...to], { cwd })).code).toBe(0);
    const of = async (file: string, ...more: string[]) => {
      const ran = await tongsBytes(["metrics", verb, file, ...words, ...more], { cwd });
      return { code: ran.code, out: ran.stdout.toString() };
    };
    const lenient = await of("r.bin", "--lenient");
    expect([lenient.code, lenient.out.includes("b\ufffdFF")]).toEqual([0, true]);
    for (const file of ["r.parquet", "set"]) {
      expect(await of(file, "--lenient")).toEqual(lenient);
      expect((await of(file)).code).toBe(13);
    }
    expect((await of("r.bin")).code).toBe(13);
  });

  test("is told by push without a flag that it does not have", async () => {
    for (const words of [
      ["push", "127.0.0.1:1", "r.bin"],
      ["push", "http://127.0.0.1:1/write", "r.bin", "--format", "influx"],
    ]) {
      const { code, stderr } = await run(...words, "--dry-run");
      expect([code, stderr]).toEqual([13, expect.stringContaining("is not valid UTF-8 (byte 0xFF)")]);
      expect(stderr).toContain("Use --skip-errors to skip it.");
      expect(stderr).not.toContain("--lenient");
    }
    expect((await run("decode", "r.bin")).stderr).toContain("Use --lenient");
  });

  test("is skipped with --skip-errors only where it is selected", async () => {
    expect(await run("stat", "r.bin", "--skip-errors", "--jq", "length")).toMatchObject({ code: 13, out: "2\n" });
    expect(await run("stat", "r.bin", "--skip-errors", "--host", "a", "--jq", "length")).toMatchObject({ code: 0 });
  });
});
