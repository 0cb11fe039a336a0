import {
  appendFileSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { indexHead, indexPath, indexRecord, readIndex } from "../../src/metrics/index/format.ts";
import { createIndexer } from "../../src/metrics/index/indexer.ts";
import { loadIndex, type Range, type Wanted, wantedRanges } from "../../src/metrics/index/ranges.ts";
import { identityFilter } from "../../src/metrics/reading/select.ts";
import { slack } from "../../src/metrics/wire/block.ts";
import { tongsBytes } from "../commands/metrics/bytes.ts";
import { emptyFolder } from "../support/tongs.ts";
import { scene } from "./recorders.ts";

const first = 1_768_600_000;
const seconds = 1200;
const perSecond = 200;

/** A reading of a gauge; the seconds of its time are the five bytes before `18`. */
const template = (host: string, instance: string) => {
  const text = (field: number, content: Buffer) =>
    Buffer.concat([Buffer.from([field * 8 + 2, content.length]), content]);
  const identifier = [host, "load", instance, "gauge"].map((part, index) => text(index + 1, Buffer.from(part)));
  return Buffer.concat([
    Buffer.from("0a0911000000000000f03f", "hex"),
    text(2, Buffer.concat([Buffer.from([8]), Buffer.alloc(5)])),
    text(3, Buffer.from([8, 10])),
    text(4, Buffer.concat(identifier)),
    text(5, Buffer.from("value")),
  ]);
};

function putTime(message: Buffer, time: number): void {
  let rest = time;
  const at = 14;
  for (let byte = 0; byte < 5; byte += 1) {
    message[at + byte] = (rest % 128) + (byte < 4 ? 128 : 0);
    rest = Math.floor(rest / 128);
  }
}

/** A recording of twenty minutes with 200 readings a second: the first half of host a, the second of host b. */
function recording(): Buffer {
  const parts: Buffer[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const messages = Array.from({ length: perSecond }, (_, index) => {
      const message = template(
        second < seconds / 2 ? "a.example.net" : "b.example.net",
        `instance-${String(index).padStart(3, "0")}`,
      );
      putTime(message, first + second);
      return Buffer.concat([Buffer.from([message.length]), message]);
    });
    parts.push(...messages);
  }
  return Buffer.concat(parts);
}

const bytes = recording();
const message = (bytes[0] ?? 0) + 1;
const ten = ["--since", String(first + 700), "--until", String(first + 710)];
const timeRange = { since: { seconds: first + 700, nanos: 0 }, until: { seconds: first + 710, nanos: 0 } };

function folderWith(content: Uint8Array) {
  const cwd = emptyFolder();
  const path = join(cwd, "a.bin");
  writeFileSync(path, content);
  return { cwd, path };
}

const writing = { mayWrite: true, checkAborted: () => {} };

async function rangesOf(path: string, wanted: Wanted): Promise<Range[]> {
  const ranges = await wantedRanges({ fd: openSync(path, "r"), path }, wanted, writing);
  if (ranges === undefined) throw new Error("everything would be read");
  return ranges;
}

const sizeOf = (ranges: readonly Range[]) => ranges.reduce((sum, { from, to }) => sum + to - from, 0);

/** Damages everything but these parts. */
function damageOthers(path: string, ranges: readonly Range[]): void {
  const file = openSync(path, "r+");
  let at = 64;
  for (const { from, to } of [...ranges, { from: bytes.length - 300_000, to: bytes.length }]) {
    if (from > at) writeSync(file, Buffer.alloc(from - at, 0xff), 0, from - at, at);
    at = Math.max(at, to);
  }
}

describe("the index of a recording", () => {
  test("is made by the first question; ten seconds then read less than 1 MiB of 20, with the same output", async () => {
    const { cwd, path } = folderWith(bytes);
    expect(bytes.length).toBeGreaterThan(16 * 1024 * 1024);
    const expected = await tongsBytes(["metrics", "decode", ...ten], { stdin: bytes });
    expect(expected.stdout.toString().split("\n")).toHaveLength(10 * perSecond + 1);
    const made = await tongsBytes(["metrics", "decode", "a.bin", ...ten], { cwd });
    expect([made.code, made.stdout.equals(expected.stdout)]).toEqual([0, true]);
    const ranges = await rangesOf(path, { timeRange });
    expect(sizeOf(ranges)).toBeLessThan(1024 * 1024);
    expect(statSync(indexPath(path)).size).toBeLessThan(bytes.length / 20);
    damageOthers(path, ranges);
    for (const verb of ["decode", "stat"]) {
      const { code, stdout } = await tongsBytes(["metrics", verb, "a.bin", ...ten], { cwd });
      const whole = await tongsBytes(["metrics", verb, ...ten], { stdin: bytes });
      expect([code, stdout.equals(whole.stdout)], verb).toEqual([0, true]);
    }
  });

  test("leads to the blocks of a host and of a series", async () => {
    const { cwd, path } = folderWith(bytes);
    const ranges = await rangesOf(path, { timeRange: {}, filter: identityFilter({ host: ["b*"] }) });
    expect(sizeOf(ranges)).toBeLessThan(bytes.length * 0.52);
    damageOthers(path, ranges);
    const words = [
      ["decode", "--host", "b*", "--type", "gauge"],
      ["plot", "--series", "b.example.net/load-instance-007/*"],
    ];
    for (const [verb = "", ...rest] of words) {
      const { code, stdout } = await tongsBytes(["metrics", verb, "a.bin", ...rest], { cwd });
      const whole = await tongsBytes(["metrics", verb, "-", ...rest], { stdin: bytes });
      expect([code, stdout.equals(whole.stdout)], verb).toEqual([0, true]);
    }
    const none = await tongsBytes(["metrics", "decode", "a.bin", "--host", "b*", ...ten, "--count", "1"], { cwd });
    expect(none.code).toBe(0);
  });

  test("that does not fit is made again, and what was appended after it is read", async () => {
    const { cwd, path } = folderWith(bytes);
    await rangesOf(path, { timeRange });
    const later = bytes.subarray(message * perSecond * 300);
    writeFileSync(path, later);
    const changed = await tongsBytes(["metrics", "decode", "a.bin", ...ten], { cwd });
    expect(changed.stdout.toString().split("\n")).toHaveLength(10 * perSecond + 1);
    writeFileSync(path, bytes);
    expect((await rangesOf(path, { timeRange })).at(-1)?.to).toBeLessThan(bytes.length);
    appendFileSync(path, bytes.subarray(message * perSecond * 705, message * perSecond * 706));
    const { stdout } = await tongsBytes(["metrics", "decode", "a.bin", ...ten], { cwd });
    expect(stdout.toString().split("\n")).toHaveLength(11 * perSecond + 1);
    writeFileSync(indexPath(path), readFileSync(indexPath(path)).subarray(0, 1000));
    expect(sizeOf(await rangesOf(path, { timeRange }))).toBeLessThan(1024 * 1024);
  });

  test("names damage in what is read by its place in the recording; a damaged recording gets none", async () => {
    const { cwd, path } = folderWith(bytes);
    await rangesOf(path, { timeRange });
    const broken = message * perSecond * 703;
    const file = openSync(path, "r+");
    writeSync(file, Buffer.from([0x0f]), 0, 1, broken + 1);
    const { code, stderr } = await tongsBytes(["metrics", "decode", "a.bin", ...ten], { cwd });
    expect([code, stderr]).toEqual([
      13,
      expect.stringContaining(`message ${703 * perSecond + 1}, byte ${broken + 1}: `),
    ]);
    const copy = folderWith(readFileSync(path));
    const all = await tongsBytes(["metrics", "decode", "a.bin", ...ten], { cwd: copy.cwd });
    expect(all.stderr.split(" (after")[0]).toBe(stderr.split(" (after")[0]);
    expect(existsSync(indexPath(copy.path))).toBe(false);
  });

  test("is not made where nothing may be written, after an interrupt, and for lengths that are padded", async () => {
    const { path } = folderWith(bytes);
    const file = { fd: openSync(path, "r"), path };
    expect(await wantedRanges(file, { timeRange }, { ...writing, mayWrite: false })).toBe(undefined);
    const interrupt = () => {
      throw new Error("interrupted");
    };
    await expect(wantedRanges(file, { timeRange }, { mayWrite: true, checkAborted: interrupt })).rejects.toThrow();
    // A length that is padded with a byte.
    const padded = Buffer.concat([Buffer.from([(bytes[0] ?? 0) + 128, 0]), bytes.subarray(1)]);
    writeFileSync(path, padded);
    expect(await wantedRanges(file, { timeRange }, writing)).toBe(undefined);
    expect(existsSync(indexPath(path))).toBe(false);
  });

  test.each([
    ["new", (index: number) => `host-${index}`],
    ["one of many", (index: number) => `host-${index % 8000}`],
  ])("takes at most 5 percent of a recording in which each host is %s, and leads to every host", (_, hostOf) => {
    const records: Uint8Array[] = [indexHead];
    const indexer = createIndexer((record) => void records.push(record));
    let at = 0;
    const places = Array.from({ length: 30_000 }, (_, index) => {
      const message = template(hostOf(index), "a");
      putTime(message, first);
      const bytes = Buffer.concat([Buffer.from([message.length]), message, Buffer.alloc(slack)]);
      const place = { frame: 0, start: 1, end: 1 + message.length, at };
      if (!indexer.add(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), place)) throw new Error();
      at += 1 + message.length;
      return place.at;
    });
    indexer.end();
    const bytes = Buffer.concat(records);
    expect(bytes.length).toBeLessThan(0.05 * at);
    for (const [index, place] of [...places.entries()].filter(([index]) => index % 997 === 0)) {
      const found = readIndex(bytes)?.having(
        () => true,
        ({ identifier }) => identifier?.host === hostOf(index),
      );
      // Undefined if it is not listed: everything is read.
      expect(found?.some(({ from, to }) => from <= place && place < to) ?? true).toBe(true);
    }
    const listed = readIndex(bytes)?.having(
      () => true,
      ({ identifier }) => identifier?.host === hostOf(0),
    );
    expect(listed?.length).toBeLessThan(records.length);
  });

  test("has the names of series as they are, also bytes that are not UTF-8", () => {
    const series = ["h\udc80", "h\udc81", "h\ufffd"].map((host) => ({
      identifier: { host, plugin: "p", plugin_instance: "", type: "t", type_instance: "" },
      ds_names: ["value"],
    }));
    const numbers = { from: 0, to: 9, messages: 0, count: 3, since: 0, until: 1, marked: 0, hash: 0 };
    const found: unknown[] = [];
    readIndex(Buffer.concat([indexHead, indexRecord(numbers, series, [0, 1, 2])]))?.eachSeries((one) =>
      found.push(one),
    );
    expect(found).toEqual(series);
  });

  test("is never believed with a changed byte: what it says is what it said, or nothing", async () => {
    const { cwd, path } = folderWith(bytes);
    await rangesOf(path, { timeRange });
    const sound = readFileSync(indexPath(path));
    const having = identityFilter({ host: ["a*"] }) ?? (() => false);
    const said = (index: Buffer) => {
      const loaded = readIndex(index);
      const series: unknown[] = [];
      loaded?.eachSeries((one) => void series.push(one));
      return loaded && [loaded.blocks, series, loaded.having(() => true, having) ?? []];
    };
    const isStartOf = (lists: readonly (readonly unknown[])[], others: typeof lists = []) =>
      lists.every((list, index) => isDeepStrictEqual(list, others[index]?.slice(0, list.length)));
    const end = sound.findIndex((_byte, at) => readIndex(sound.subarray(0, at))?.blocks.length === 2);
    const small = sound.subarray(0, end);
    const whole = said(small);
    for (let at = 0; at < small.length; at += 1) {
      const changed = Buffer.from(small);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      const found = said(changed);
      // With a longer length, it ends before a record that is not complete.
      if (found !== undefined) expect(isStartOf(found, whole), `byte ${at}`).toBe(true);
    }
    const expected = await tongsBytes(["metrics", "decode", ...ten], { stdin: bytes });
    for (const at of [3, 8, 16, 40, 56, 64, 72, 500, sound.length - 2]) {
      const changed = Buffer.from(sound);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      writeFileSync(indexPath(path), changed);
      const { code, stdout, stderr } = await tongsBytes(["metrics", "decode", "a.bin", ...ten], { cwd });
      expect([code, stdout.equals(expected.stdout), stderr], `byte ${at}`).toEqual([0, true, ""]);
      expect(readFileSync(indexPath(path)).equals(sound), `byte ${at}`).toBe(true);
    }
  });

  test("is named when it is given as an input", async () => {
    const { cwd, path } = folderWith(bytes);
    await rangesOf(path, { timeRange });
    const { code, stderr } = await tongsBytes(["metrics", "decode", "a.bin.index"], { cwd });
    expect([code, stderr]).toEqual([13, expect.stringContaining("This is the index of a recording")]);
  });
});

describe("the index that a recorder makes", () => {
  const each = function* (from: number, to: number) {
    for (let at = from * message; at < to * message; at += message) yield bytes.subarray(at + 1, at + message);
  };

  test("has all readings, also when the recording is continued, and is the one that a question makes", async () => {
    const { path, record, close } = scene();
    const count = seconds * perSecond;
    for (const [from, to] of [[0, count - 9999] as const, [count - 9999, count] as const]) {
      const recorder = await record();
      for (const one of each(from, to)) recorder.record(one);
      close(recorder);
    }
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const index = loadIndex(path);
    expect(index?.blocks.at(-1)).toMatchObject({ to: bytes.length });
    const ranges = await rangesOf(path, { timeRange });
    const other = folderWith(bytes);
    expect(ranges).toEqual(await rangesOf(other.path, { timeRange }));
    const filter = identityFilter({ host: ["b*"] });
    expect(sizeOf(await rangesOf(path, { timeRange: {}, filter }))).toBeLessThan(bytes.length * 0.52);
  });

  test("moves with a rotated recording, and is removed with it", async () => {
    const { folder, path, record, others, clock } = scene();
    const recorder = await record({ rotate: { milliseconds: 3_600_000 }, keep: 1 });
    for (const one of each(0, 5000)) recorder.record(one);
    clock.now = new Date("2026-11-22T06:00:00Z");
    recorder.tick();
    const rotated = "readings.20261122T060000Z.bin";
    expect(others().sort()).toEqual([rotated, `${rotated}.index`]);
    expect(loadIndex(join(folder, rotated))?.blocks.at(-1)?.to).toBe(5000 * message);
    for (const one of each(5000, 10_000)) recorder.record(one);
    expect(loadIndex(path)?.blocks[0]?.since).toBe(first + 25);
    clock.now = new Date("2026-11-22T07:00:00Z");
    recorder.tick();
    expect(others().some((name) => name.startsWith(rotated))).toBe(false);
    expect(others()).toHaveLength(2);
  });

  test("is dropped if a crash took readings that it has", async () => {
    const { path, record, close, warnings } = scene();
    const before = await record();
    for (const one of each(0, 6000)) before.record(one);
    close(before);
    expect(loadIndex(path)?.blocks.at(-1)?.to).toBe(6000 * message);
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(500 * message), 0, 500 * message, 5500 * message);
    const after = await record();
    expect(warnings.join()).toContain("removed zero bytes");
    for (const one of each(7000, 9000)) after.record(one);
    close(after);
    expect(loadIndex(path)).toBe(undefined);
  });

  test.skipIf(process.platform === "win32").each(["/dev/zero", "/dev/null"])(
    "is made again if a device is in its place: %s",
    async (device) => {
      const { cwd, path } = folderWith(bytes);
      symlinkSync(device, indexPath(path));
      const ran = await tongsBytes(["metrics", "decode", "a.bin", ...ten], { cwd });
      expect([ran.code, ran.stdout.toString().trim().split("\n").length, lstatSync(indexPath(path)).isFile()]).toEqual([
        0,
        10 * perSecond,
        true,
      ]);
    },
  );
});
