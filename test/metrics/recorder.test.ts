import { readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RecorderOptions } from "../../src/metrics/recorder/recorder.ts";
import { all, bytes, first, messages, scene, sizeOf } from "./recorders.ts";

describe("a recording", () => {
  test("is appended to, byte for byte as the readings came", async () => {
    const { path, record, close, warnings } = scene();
    for (const [from, to] of [
      [0, 100],
      [100, 101],
      [101, 250],
    ] as const) {
      const recorder = await record();
      all(recorder, from, to);
      close(recorder);
    }
    expect(readFileSync(path).equals(first(250))).toBe(true);
    expect(warnings).toEqual([]);
  });

  test("cut anywhere in its last reading is repaired, with a warning", async () => {
    const { path, record, close, warnings } = scene();
    for (let cut = sizeOf(3) + 1; cut < sizeOf(4); cut += 1) {
      writeFileSync(path, bytes.subarray(0, cut));
      const recorder = await record();
      recorder.record(messages[3] ?? Buffer.alloc(0));
      close(recorder);
      expect(readFileSync(path).equals(first(4)), `cut at ${cut}`).toBe(true);
    }
    expect(warnings[0]).toBe("Repaired readings.bin: removed an incomplete reading (1 B) after 3 readings");
    expect(warnings).toHaveLength(sizeOf(4) - sizeOf(3) - 1);
  });

  test("that another program truncates meanwhile is mended, with a warning, and goes on", async () => {
    for (const cut of [sizeOf(3) + 5, sizeOf(3), 5, 0]) {
      const { path, record, close, warnings } = scene();
      const recorder = await record();
      all(recorder, 0, 5);
      truncateSync(path, cut);
      all(recorder, 5, 7);
      truncateSync(path, readFileSync(path).length - 1);
      recorder.check();
      all(recorder, 7, 8);
      close(recorder);
      const kept = first(cut < sizeOf(3) ? 0 : 3);
      const later = [5, 7].map((at) => bytes.subarray(sizeOf(at), sizeOf(at + 1)));
      expect(readFileSync(path).equals(Buffer.concat([kept, ...later])), `cut at ${cut}`).toBe(true);
      expect(warnings[0]).toMatch(/another program truncated readings\.bin from .* to \d+ B; what it removed is lost$/);
      expect(warnings.filter((one) => one.includes("another program"))).toHaveLength(2);
      expect(warnings.filter((one) => one.startsWith("Repaired"))).toHaveLength(kept.length === cut ? 1 : 2);
    }
  });

  test("that ends in zero bytes is repaired, with a warning", async () => {
    const { path, record, close, warnings } = scene();
    for (const zeros of [1, 4096, 1_500_000]) {
      writeFileSync(path, Buffer.concat([first(5), Buffer.alloc(zeros)]));
      const recorder = await record();
      all(recorder, 5, 6);
      close(recorder);
      expect(readFileSync(path).equals(first(6))).toBe(true);
    }
    expect(warnings[1]).toBe("Repaired readings.bin: removed zero bytes (4.0 KiB) after 5 readings");
  });

  test.each([
    ["zero bytes", Buffer.alloc(512)],
    ["other bytes", Buffer.from("ffffffffffffffffffffffff", "hex")],
    ["a message that is none", Buffer.from("03ffffff", "hex")],
  ])("with %s between its readings is kept under another name", async (_name, damage) => {
    const { folder, path, record, warnings, others } = scene();
    const damaged = Buffer.concat([first(5), damage, bytes.subarray(sizeOf(5), sizeOf(9))]);
    writeFileSync(path, damaged);
    all(await record(), 0, 2);
    expect(others()).toEqual(["readings.20261122T055930Z.bin"]);
    expect(readFileSync(join(folder, others()[0] ?? "")).equals(damaged)).toBe(true);
    expect(readFileSync(path).equals(first(2))).toBe(true);
    expect(warnings[0]).toMatch(
      /^readings\.bin is damaged after 5 readings, at byte \d+; renamed it to readings\.2026/,
    );
  });

  test("is not what another file is: it is left alone", async () => {
    const { path, record } = scene();
    for (const content of ["Notes on the harbor\nSecond line\n", "\x00\x00\x00x", "#!/bin/sh\n"]) {
      writeFileSync(path, content);
      await expect(record()).rejects.toMatchObject({ code: "not_a_recording", exit: "refused" });
      expect(readFileSync(path, "utf8")).toBe(content);
    }
  });

  test("without a whole reading is left alone, with a hint for what a crash leaves of the first one", async () => {
    const { path, record } = scene();
    const settings = Buffer.from('{\n "a": 1\n}\n');
    for (const content of [settings, bytes.subarray(0, 1), bytes.subarray(0, 20), bytes.subarray(0, sizeOf(1) - 1)]) {
      writeFileSync(path, content);
      await expect(record()).rejects.toMatchObject({
        code: "not_a_recording",
        exit: "refused",
        message: "readings.bin exists, but has no complete reading",
        hint: expect.stringContaining("If an interrupted recording left it, remove it"),
      });
      expect(readFileSync(path).equals(content)).toBe(true);
    }
  });

  test("has one writer at a time", async () => {
    const { record, close, path } = scene();
    const recorder = await record();
    await expect(record()).rejects.toMatchObject({ code: "file_in_use", exit: "refused" });
    await expect(record({ path: join(path, "..", ".", "readings.bin") })).rejects.toMatchObject({
      code: "file_in_use",
    });
    close(recorder);
    all(await record(), 0, 1);
    expect(readFileSync(path).equals(first(1))).toBe(true);
  });

  test("that is new has one writer at a time, also through a link to its folder or to it", async () => {
    const { folder, record } = scene();
    symlinkSync(".", join(folder, "link"));
    symlinkSync("target.bin", join(folder, "link.bin"));
    for (const path of [join(folder, "link", "new.bin"), join(folder, "link.bin")]) {
      await record({ path });
      await expect(record({ path })).rejects.toMatchObject({ code: "file_in_use", exit: "refused" });
    }
  });

  test("that was moved goes on in a new file after SIGHUP, and not before", async () => {
    const { folder, path, record } = scene();
    const recorder = await record();
    all(recorder, 0, 2);
    recorder.reopen();
    all(recorder, 2, 3);
    renameSync(path, join(folder, "moved"));
    all(recorder, 3, 4);
    recorder.reopen();
    all(recorder, 0, 2);
    expect(readFileSync(join(folder, "moved")).equals(first(4))).toBe(true);
    expect(readFileSync(path).equals(first(2))).toBe(true);
  });

  test("goes on in the moved file, and says so, when what took its place is not a recording", async () => {
    const { folder, path, record, warnings } = scene();
    const recorder = await record({ rotate: { bytes: 150 } });
    all(recorder, 0, 1);
    renameSync(path, join(folder, "moved"));
    writeFileSync(path, "Notes on the harbor\n");
    recorder.reopen();
    all(recorder, 1, 3);
    expect(readFileSync(join(folder, "moved")).equals(first(3))).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("Notes on the harbor\n");
    expect(warnings.join("\n")).toContain("cannot open readings.bin again; still recording to the moved file");
    expect(warnings.join("\n")).toContain("cannot rotate: readings.bin exists, but is not a recording");
  });

  test("in a folder that does not exist is a failure with its name", async () => {
    const { folder, record } = scene();
    const missing = record({ path: join(folder, "missing", "readings.bin"), name: "missing/readings.bin" });
    await expect(missing).rejects.toMatchObject({ code: "disk", message: expect.stringContaining("readings.bin") });
  });
});

describe("a full disk", () => {
  const full = () => Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" });

  test("leaves whole readings whole, is said once, and recording goes on when there is room", async () => {
    const { path, record, warnings, clock } = scene();
    const state = { room: 1000 };
    // Like a file system: it writes what fits, and fails when nothing does.
    const write: RecorderOptions["write"] = (fd, framed, at) => {
      const size = Math.min(framed.length - at, state.room);
      if (size === 0) throw full();
      state.room -= size;
      return writeSync(fd, framed, at, size);
    };
    const recorder = await record({ write });
    all(recorder, 0, 20);
    const before = readFileSync(path);
    const kept = messages.findIndex((_one, index) => sizeOf(index + 1) > 1000);
    expect(before.equals(first(kept))).toBe(true);
    expect(recorder.lost()).toBe(20 - kept);
    clock.now = new Date("2026-11-22T06:10:00Z");
    state.room = 1_000_000;
    all(recorder, 20, 25);
    const after = Buffer.concat([before, bytes.subarray(sizeOf(20), sizeOf(25))]);
    expect(readFileSync(path).equals(after)).toBe(true);
    expect(warnings).toEqual([
      "2026-11-22T05:59:30Z: Cannot write readings.bin: no space left on device (ENOSPC); readings are lost until this is resolved",
      `2026-11-22T06:10:00Z: recording to readings.bin again; ${20 - kept} readings were lost`,
    ]);
  });

  test("keeps what fits of several readings that are written at once, and tells the calls of the others", async () => {
    const { path, record, warnings } = scene();
    let room = 1000;
    const write: RecorderOptions["write"] = (fd, framed, at) => {
      const size = Math.min(framed.length - at, room);
      if (size === 0) throw full();
      room -= size;
      return writeSync(fd, framed, at, size);
    };
    const recorder = await record({ write, refuses: true });
    const calls = messages.slice(0, 20).map(() => ({}) as { problem?: string });
    // Two readings a call.
    for (const [index, message] of messages.slice(0, 20).entries())
      recorder.add(message, 0, message.length, calls[index >> 1]);
    expect(readFileSync(path).length).toBe(0);
    recorder.flush();
    const kept = messages.findIndex((_one, index) => sizeOf(index + 1) > 1000);
    expect(readFileSync(path).equals(first(kept))).toBe(true);
    const refused = calls.slice(0, 10).map(({ problem }) => problem !== undefined);
    expect(refused).toEqual(refused.map((_one, index) => 2 * index + 1 >= kept));
    expect(recorder.lost()).toBe(20 - kept);
    room = 1_000_000;
    recorder.add(messages[20] ?? Buffer.alloc(0), 0, messages[20]?.length ?? 0);
    recorder.check();
    expect(warnings.at(-1)).toContain(`recording to readings.bin again; ${20 - kept} readings were refused`);
  });

  test("a write that stops in the middle of a reading leaves nothing of it", async () => {
    const { path, record } = scene();
    const state = { fails: false };
    const write: RecorderOptions["write"] = (fd, framed, at) => {
      if (!state.fails) return writeSync(fd, framed, at);
      if (at > 0) throw full();
      return writeSync(fd, framed, 0, 7);
    };
    const recorder = await record({ write });
    all(recorder, 0, 1);
    state.fails = true;
    all(recorder, 1, 2);
    expect(readFileSync(path).equals(first(1))).toBe(true);
    state.fails = false;
    all(recorder, 1, 2);
    expect(readFileSync(path).equals(first(2))).toBe(true);
  });
});
