import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRotation } from "../../src/metrics/recorder/rotation.ts";
import { all, first, messages, scene, sizeOf } from "./recorders.ts";

describe("rotation", () => {
  test("by size starts a new file before the size is exceeded, and loses nothing", async () => {
    const { folder, record, others, clock } = scene();
    const recorder = await record({ rotate: { bytes: 4096 } });
    for (const message of messages.slice(0, 300)) {
      clock.now = new Date(clock.now.getTime() + 250);
      recorder.record(message);
    }
    const parts = [...others().sort(), "readings.bin"].map((name) => readFileSync(join(folder, name)));
    expect(parts.length).toBeGreaterThan(6);
    expect(parts.every((part) => part.length <= 4096)).toBe(true);
    expect(Buffer.concat(parts).equals(first(300))).toBe(true);
  });

  test("by time happens at its multiples in UTC, also without readings, and never makes an empty file", async () => {
    const { path, record, others, clock } = scene();
    const recorder = await record({ rotate: { milliseconds: 3_600_000 } });
    all(recorder, 0, 2);
    clock.now = new Date("2026-11-22T05:59:59Z");
    recorder.tick();
    expect(others()).toEqual([]);
    clock.now = new Date("2026-11-22T06:00:00Z");
    recorder.tick();
    clock.now = new Date("2026-11-22T09:00:00Z");
    recorder.tick();
    recorder.tick();
    expect(others()).toEqual(["readings.20261122T060000Z.bin"]);
    expect(readFileSync(path)).toHaveLength(0);
  });

  test("by time also rotates what an earlier process left", async () => {
    const { path, record, others } = scene();
    writeFileSync(path, first(2));
    utimesSync(path, new Date("2026-11-22T04:10:00Z"), new Date("2026-11-22T04:10:00Z"));
    const recorder = await record({ rotate: { milliseconds: 3_600_000 } });
    all(recorder, 0, 1);
    expect(others()).toEqual(["readings.20261122T055930Z.bin"]);
    expect(readFileSync(path).equals(first(1))).toBe(true);
  });

  test("names files of a second so that a shell sorts them by time, and looks at no link without a file", async () => {
    const { folder, record, others } = scene();
    symlinkSync("nowhere", join(folder, "readings.20200101T000000Z.bin"));
    const recorder = await record({ rotate: { bytes: 100 }, keep: 12 });
    all(recorder, 0, 13);
    const name = (number: string) => `readings.20261122T055930Z${number}.bin`;
    const numbers = Array.from({ length: 11 }, (_, index) => String(index + 2).padStart(3, "0"));
    const expected = ["readings.20200101T000000Z.bin", ...["", ...numbers].map(name)];
    const listed = spawnSync("sh", ["-c", "ls readings.2*"], { cwd: folder, encoding: "utf8" });
    expect([others().sort(), listed.stdout.trim().split("\n")]).toEqual([expected, expected]);
  });

  test("keeps the newest files, and removes no file that is not its own", async () => {
    const { folder, record, others, clock } = scene();
    const foreign = ["readings.20261122.bin", "readings.old.bin", "readings.20261122T055930Z.txt", "other.bin"];
    for (const name of foreign) writeFileSync(join(folder, name), "keep");
    mkdirSync(join(folder, "readings.20200101T000000Z.bin"));
    const recorder = await record({ rotate: { bytes: 300 }, keep: 3 });
    for (let index = 0; index < 40; index += 1) {
      // Several in a second get a number.
      clock.now = new Date(Date.parse("2026-11-22T06:00:00Z") + Math.floor(index / 12) * 1000);
      recorder.record(messages[index] ?? Buffer.alloc(0));
    }
    const kept = others().filter((name) => !foreign.includes(name) && !name.includes("2020"));
    expect(others()).toEqual(expect.arrayContaining([...foreign, "readings.20200101T000000Z.bin"]));
    expect(kept).toHaveLength(3);
    const parts = [...kept.sort(), "readings.bin"].map((name) => readFileSync(join(folder, name)));
    expect(first(40).subarray(-Buffer.concat(parts).length).equals(Buffer.concat(parts))).toBe(true);
  });

  test("keeps the newest files, however many there are in a second", async () => {
    const { folder, record, others } = scene();
    const recorder = await record({ rotate: { bytes: 300 }, keep: 2 });
    all(recorder, 0, 60);
    const kept = others();
    expect(kept).toHaveLength(2);
    const parts = [...kept.sort(), "readings.bin"].map((name) => readFileSync(join(folder, name)));
    expect(first(60).subarray(-Buffer.concat(parts).length).equals(Buffer.concat(parts))).toBe(true);
  });

  test("keeps the newest files after the clock was set back", async () => {
    const { folder, record, others, clock } = scene();
    const recorder = await record({ rotate: { milliseconds: 3_600_000 }, keep: 2 });
    const recordAt = (time: string, from: number) => {
      clock.now = new Date(time);
      all(recorder, from, from + 1);
    };
    recordAt("2036-01-01T00:30:00Z", 0);
    recordAt("2036-01-01T01:30:00Z", 1);
    recordAt("2036-01-01T02:30:00Z", 2);
    recordAt("2026-11-22T06:30:00Z", 3);
    recordAt("2026-11-22T07:30:00Z", 4);
    expect(others().sort()).toEqual(["readings.20261122T063000Z.bin", "readings.20261122T073000Z.bin"]);
    const parts = [...others().sort(), "readings.bin"].map((name) => readFileSync(join(folder, name)));
    expect(Buffer.concat(parts).equals(first(5).subarray(sizeOf(2)))).toBe(true);
  });

  test.each([
    ["100k", { bytes: 102_400 }],
    ["2g", { bytes: 2 * 1024 ** 3 }],
    ["100M", { bytes: 100 * 1024 * 1024 }],
    ["1GiB", { bytes: 1024 ** 3 }],
    ["512B", { bytes: 512 }],
    ["15m", { milliseconds: 900_000 }],
    ["1h", { milliseconds: 3_600_000 }],
    ["7d", { milliseconds: 604_800_000 }],
  ])("--rotate %s", (typed, rotation) => {
    expect(readRotation(typed)).toEqual(rotation);
  });

  test.each(["", "0", "0h", "100", "1x", "-1h", "1.5h", "0M", "h"])("--rotate %j is a usage error", (typed) => {
    expect(() => readRotation(typed)).toThrow("--rotate");
  });
});
