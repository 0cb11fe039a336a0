import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, reading, records, tongsBytes } from "./bytes.ts";

/** A folder with two recordings, old and new, of four readings each with two counters. */
async function recorded(): Promise<string> {
  const cwd = emptyFolder();
  for (const [name, first] of [
    ["old.bin", 0],
    ["new.bin", 4],
  ] as const) {
    const readings = [0, 1, 2, 3].map((index) => {
      const values = [{ counter: (first + index) * 100 }, { counter: (first + index) * 200 }];
      return reading(values, first + index, { interval: "1s", ds_names: ["rx", "tx"] });
    });
    writeFileSync(join(cwd, name), await encoded(...readings));
  }
  return cwd;
}

describe("late readings of counters", () => {
  test.each([
    ["decode --rates", ""],
    ["stat", " in rates"],
    ["plot --series p/t", " in rates"],
    ["report -o r.html", " in rates"],
  ])("are said by metrics %s, with a hint if there are several files", async (words, where) => {
    const cwd = await recorded();
    const warning = async (...files: string[]) => {
      const { stderr } = await tongsBytes(["metrics", ...words.split(" "), ...files], { cwd });
      return stderr.split("\n").find((line) => line.includes("Skipped"));
    };
    expect(await warning("new.bin", "old.bin")).toMatch(
      new RegExp(`Skipped 4 late readings${where}\\. Name files from the oldest to the newest\\.$`),
    );
    expect(await warning("old.bin", "new.bin")).toBeUndefined();
  });

  test("in one file have no such hint", async () => {
    const cwd = await recorded();
    const stdin = Buffer.concat([await bytesOf(cwd, "new.bin"), await bytesOf(cwd, "old.bin")]);
    const { stderr } = await tongsBytes(["metrics", "stat"], { stdin });
    expect(stderr).toMatch(/Skipped 4 late readings in rates\n/);
  });
});

test.each([
  [
    "--rates",
    [
      ["2026-01-01T00:00:10Z", [10]],
      ["2026-01-01T00:00:20Z", [10]],
    ],
  ],
  [
    "--every 10s",
    [
      ["2026-01-01T00:00:10Z", [10, 10, 10, 10]],
      ["2026-01-01T00:00:20Z", [10, 10, 10, 10]],
    ],
  ],
])("a reading ahead of the clock does not make those after it late: decode %s", async (words, expected) => {
  const counters = { 0: 0, 10: 100, [8 * 3600]: 900, 20: 200 };
  const order = [0, 10, 8 * 3600, 20] as const;
  const stdin = await encoded(
    ...order.map((second) => reading([{ counter: counters[second] }], second, { interval: "10s" })),
  );
  const decode = (now: string, ...more: string[]) =>
    tongsBytes(["metrics", "decode", ...words.split(" "), "--format", "ndjson", ...more], {
      stdin,
      now: new Date(now),
    });
  const ran = await decode("2026-01-01T01:00:00Z");
  const found = records(ran.stdout) as { time: string; values: { gauge: number }[] }[];
  expect(found.map(({ time, values }) => [time, values.map(({ gauge }) => gauge)])).toEqual(expected);
  const warning = "! Left out 1 reading that is ahead of the clock; --until TIME includes them\n";
  expect([ran.code, ran.stderr]).toEqual([0, warning]);
  // It is not ahead of the minute before it, nor of --until.
  for (const other of [
    await decode("2026-01-01T07:59:00Z"),
    await decode("2026-01-01T01:00:00Z", "--until", "2027-01-01"),
  ]) {
    expect(other.stdout.toString()).toContain("T08:00:00Z");
    expect(other.stderr).toContain("Skipped 1 late reading");
  }
});

const bytesOf = async (cwd: string, name: string) =>
  (await tongsBytes(["metrics", "decode", name, "--format", "delimited"], { cwd })).stdout;
