import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ForwardProgress, runForwarder } from "../../../src/metrics/forward/forwarder.ts";
import type { SpoolPurpose } from "../../../src/metrics/forward/spool.ts";
import { openSpoolReader, type SpoolReader } from "../../../src/metrics/forward/spool-reader.ts";
import { openSpoolWriter } from "../../../src/metrics/forward/spool-writer.ts";
import { randomFrom } from "../../support/random.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { samplesIn } from "./decoded.ts";
import { readingWith } from "./readings.ts";

type SpoolWriter = Awaited<ReturnType<typeof openSpoolWriter>>;
const open: { close(): void }[] = [];
const warnings: string[] = [];
const warn = (message: string) => void warnings.push(message);

afterEach(() => {
  for (const one of open.splice(0)) one.close();
  warnings.length = 0;
});

const purposeIn = (folder: string, address = "http://127.0.0.1:8428/api/v1/write"): SpoolPurpose => ({
  folder,
  name: "spool",
  address,
  format: "remote-write",
});

async function writer(folder: string, size = 1024 ** 3): Promise<SpoolWriter> {
  const opened = await openSpoolWriter(purposeIn(folder), { size, now: () => new Date(1000), warn });
  open.push(opened);
  return opened;
}

async function reader(folder: string): Promise<SpoolReader> {
  const opened = await openSpoolReader(purposeIn(folder), warn);
  open.push(opened);
  return opened;
}

function close(one: { close(): void }): void {
  open.splice(open.indexOf(one), 1);
  one.close();
}

/** Readings that say which one they are, and are of different sizes. */
const textOf = (number: number) => `reading ${number} ${"x".repeat(number % 97)}`;

function addTo(spool: SpoolWriter, from: number, end: number): void {
  for (let number = from; number < end; number += 1) spool.add(Buffer.from(textOf(number)));
  spool.flush();
  expect(spool.lost()).toBe(0);
}

/** Adds readings by a new writer. */
async function addAll(folder: string, from: number, end: number): Promise<void> {
  const written = await writer(folder);
  addTo(written, from, end);
  close(written);
}

/** What a reader has, up to a number of batches, each done. */
function take(spool: SpoolReader, batches = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = [];
  for (let left = batches; left > 0; left -= 1) {
    const batch = spool.next();
    if (batch === undefined) break;
    for (const encoded of batch.readings) {
      const [, number = ""] = /^reading (\d+) /.exec(Buffer.from(encoded).toString()) ?? [];
      expect(Buffer.from(encoded).toString()).toBe(textOf(Number(number)));
      found.push(Number(number));
    }
    spool.done(batch.end);
  }
  return found;
}

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, index) => from + index);
const segments = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".seg"))
    .sort();

/** Forwards readings of the gauges 0, 1, 2 and so on to an engine, until it has taken the last one. */
async function forwardAll(
  count: number,
  answer: (values: readonly number[], request: number) => 204 | 400 | 500,
  more: { readonly add?: number; readonly when?: number } = {},
) {
  const folder = emptyFolder();
  const written = await writer(folder);
  const add = (from: number, end: number) => {
    for (let second = from; second < end; second += 1) written.add(readingWith({ gauge: second }, second));
    written.flush();
  };
  add(0, count);
  const last = count + (more.add ?? 0) - 1;
  const taken: number[] = [];
  const refusedAlone: number[] = [];
  const reports: ForwardProgress[] = [];
  const ending = new AbortController();
  let requests = 0;
  await runForwarder({
    purpose: { ...purposeIn(folder), format: "influx" },
    now: () => new Date(0),
    random: () => 0,
    ending: ending.signal,
    signal: new AbortController().signal,
    warn,
    slowly: 1,
    report: (progress) => reports.push(progress),
    post: async (_headers, body) => {
      requests += 1;
      if (requests === more.when) add(count, last + 1);
      const values = samplesIn("influx", body).map(({ value }) => value);
      const status = answer(values, requests);
      if (status === 204) taken.push(...values);
      else if (values.length === 1) refusedAlone.push(...values);
      // A probe of it alone is sent again with those before it.
      if (taken.includes(last) && taken.includes(last - 1)) ending.abort();
      return { status, headers: {}, body: Buffer.from(status === 204 ? "" : "too old sample") };
    },
  });
  return { taken, refusedAlone, reports, progress: reports.at(-1) };
}

test("a forwarder is not late because the clock was set back, and ends when all is sent", async () => {
  // The readings were added a second after 1970.
  const { taken, reports, progress } = await forwardAll(10, () => 204);
  expect(taken).toEqual(upTo(10));
  expect(progress).toEqual({ sent: 10, refused: 0, dropped: 0, damaged: 0, leftOut: 0, lag: 0 });
  expect(reports.every(({ lag }) => lag === 0)).toBe(true);
});

test("an engine that refuses all gets them again later, and when it takes one, loses what it refuses", async () => {
  // Set up anew after a while; then it takes what is new enough.
  const answer = (values: readonly number[], request: number) =>
    request < 300 || values.some((value) => value < 120) ? 400 : 204;
  const { taken, progress } = await forwardAll(150, answer, { add: 250, when: 300 });
  expect([...new Set(taken)].sort((one, other) => one - other)).toEqual(upTo(400, 120));
  expect(progress).toMatchObject({ sent: 280, refused: 120 });
  expect(warnings[0]).toBe(
    "http://127.0.0.1:8428/api/v1/write refuses all readings: too old sample; readings wait in spool",
  );
  expect(warnings.filter((text) => text.includes(" refused h/p/t: too old sample"))).toHaveLength(10);
  expect(warnings).toHaveLength(12);
  expect(warnings.at(-1)).toBe("Forwarding to http://127.0.0.1:8428/api/v1/write again");
});

test("an engine that fails with 500 for a while gets all readings, in order and once", async () => {
  const { taken, progress } = await forwardAll(300, (_values, request) => (request < 3 ? 500 : 204));
  expect(taken).toEqual(upTo(300));
  expect(progress).toMatchObject({ sent: 300, refused: 0 });
  expect(warnings).toContainEqual(expect.stringContaining("failed (500): too old sample; readings wait in spool"));
});

describe("an engine that fails at what is in a batch, with 500", () => {
  test("gets all others, in order; those it fails at are named, and not sent for ever", async () => {
    const isBad = (value: number) => value % 97 === 5;
    const { taken, progress } = await forwardAll(3000, (values) => (values.some(isBad) ? 500 : 204));
    const sound = upTo(3000).filter((value) => !isBad(value));
    // One that it took is sent again to find out whether it is well.
    expect([...new Set(taken)]).toEqual(sound);
    expect(progress).toMatchObject({ sent: sound.length, refused: 3000 - sound.length });
    expect(warnings.filter((text) => / refused h\/p\/t: failed \(500\): too old sample$/.test(text))).toHaveLength(10);
    // Once, before it has taken any.
    expect(warnings.filter((text) => text.includes("wait in spool"))).toHaveLength(1);
  });

  test("loses nothing if it fails at everything from the middle of a batch on, for a while", async () => {
    let failures = 0;
    const { taken, progress } = await forwardAll(3000, (values) => {
      if (failures > 60 || (failures === 0 && !values.includes(1500))) return 204;
      failures += 1;
      return 500;
    });
    expect([...new Set(taken)].sort((one, other) => one - other)).toEqual(upTo(3000));
    expect(progress).toMatchObject({ sent: 3000, refused: 0 });
  });

  test("gets newer ones if it fails at all of the oldest", async () => {
    const { taken, progress } = await forwardAll(5000, (values) => (values.some((value) => value < 3000) ? 500 : 204));
    expect([...new Set(taken)].sort((one, other) => one - other)).toEqual(upTo(5000, 3000));
    expect(progress).toMatchObject({ sent: 2000, refused: 3000 });
  });

  test("gets those that come later if nothing newer is there yet", async () => {
    const answer = (values: readonly number[]) => (values.some((value) => value < 50) ? 500 : 204);
    const { taken, progress } = await forwardAll(50, answer, { add: 20, when: 30 });
    expect([...new Set(taken)].sort((one, other) => one - other)).toEqual(upTo(70, 50));
    expect(progress).toMatchObject({ sent: 20, refused: 50 });
  });

  test("loses nothing if it fails at everything for a while, or comes back while readings are suspected", async () => {
    for (const until of [1, 2, 3, 10, 50]) {
      const { taken, progress } = await forwardAll(300, (_values, request) => (request < until ? 500 : 204));
      expect(
        [...new Set(taken)].sort((one, other) => one - other),
        `after ${until}`,
      ).toEqual(upTo(300));
      expect(progress, `after ${until}`).toMatchObject({ sent: 300, refused: 0 });
    }
  });
});

test("an engine that refuses the oldest with 400 gets newer ones; what it refused is named and not sent again", async () => {
  const answer = (values: readonly number[]) => (values.some((value) => value < 3000) ? 400 : 204);
  const { taken, refusedAlone, progress } = await forwardAll(5000, answer);
  expect([...new Set(taken)].sort((one, other) => one - other)).toEqual(upTo(5000, 3000));
  expect(progress).toMatchObject({ sent: 2000, refused: 3000 });
  // Those that were tried to find out.
  expect(refusedAlone.length - new Set(refusedAlone).size).toBeLessThan(40);
});

describe("a spool", () => {
  test("gives what was added, in order and once, while it grows and through new writers and readers", async () => {
    const folder = emptyFolder();
    const first = await writer(folder);
    addTo(first, 0, 5000);
    const early = await reader(folder);
    expect(take(early, 1)).toEqual(upTo(2000));
    expect(early.next()?.readings).toHaveLength(2000);
    close(early);
    const late = await reader(folder);
    addTo(first, 5000, 6000);
    expect(take(late)).toEqual(upTo(6000, 2000));
    close(first);
    const second = await writer(folder);
    expect(second.found).toBe(0);
    addTo(second, 6000, 7000);
    expect(take(late)).toEqual(upTo(7000, 6000));
    expect(segments(folder)).toHaveLength(1);
    addTo(second, 7000, 7010);
    close(second);
    expect((await writer(folder)).found).toBe(10);
  });

  test("says each time that it takes readings again how many it lost", async () => {
    const folder = join(emptyFolder(), "spool");
    const clock = { now: 1000 };
    const opened = await openSpoolWriter(purposeIn(folder), { size: 1024 ** 3, now: () => new Date(clock.now), warn });
    open.push(opened);
    const add = (many: number) => {
      for (let number = 0; number < many; number += 1) opened.add(Buffer.from(textOf(number)));
      opened.flush();
    };
    for (let time = 0; time < 2; time += 1) {
      renameSync(folder, `${folder}.away`);
      add(20);
      renameSync(`${folder}.away`, folder);
      add(1);
      clock.now += 10_000;
    }
    expect(opened.lost()).toBe(40);
    // With the time: the program prints the same warning once.
    const lost = "spool was removed, and the readings in it; readings are not forwarded until this is resolved";
    expect(warnings).toEqual([
      `1970-01-01T00:00:01Z: ${lost}`,
      "1970-01-01T00:00:01Z: forwarding again; 20 readings were lost",
      `1970-01-01T00:00:11Z: ${lost}`,
      "1970-01-01T00:00:11Z: forwarding again; 20 readings were lost",
    ]);
  });

  test("is on the disk before a sender gets its answer, once for all of a turn, and within a second otherwise", async () => {
    const folder = emptyFolder();
    const clock = { now: 1000 };
    let [syncs, problem] = [0, ""];
    const opened = await openSpoolWriter(purposeIn(folder), {
      size: 1024 ** 3,
      now: () => new Date(clock.now),
      warn,
      sync: () => {
        syncs += 1;
        if (problem !== "") throw Object.assign(new Error(problem), { code: "EIO", syscall: "fdatasync" });
      },
    });
    open.push(opened);
    const calls = Array.from({ length: 3 }, () => ({}) as { problem?: string });
    // More than is written at once.
    for (let number = 0; number < 3000; number += 1) opened.add(Buffer.from(textOf(number)), calls[number % 3]);
    expect(syncs).toBe(0);
    opened.flush();
    expect([syncs, calls]).toEqual([1, [{}, {}, {}]]);
    opened.flush();
    for (let packet = 0; packet < 10; packet += 1) {
      opened.add(Buffer.from(textOf(3000 + packet)));
      opened.flush();
    }
    expect(syncs).toBe(1);
    clock.now += 1000;
    opened.add(Buffer.from(textOf(3010)));
    opened.flush();
    expect(syncs).toBe(2);
    problem = "EIO: i/o error, fdatasync";
    const refused: { problem?: string } = {};
    opened.add(Buffer.from(textOf(3011)), refused);
    opened.flush();
    expect(refused.problem).toBe("input/output error (EIO)");
    expect(warnings).toEqual([expect.stringContaining("input/output error (EIO); readings may be lost")]);
    problem = "";
  });

  test("loses nothing that was flushed when its writer is killed in the middle of a record", async () => {
    const folder = emptyFolder();
    const killed = await writer(folder);
    addTo(killed, 0, 100);
    close(killed);
    const [name = ""] = segments(folder);
    truncateSync(join(folder, name), statSync(join(folder, name)).size - 5);
    const next = await writer(folder);
    addTo(next, 100, 200);
    const spool = await reader(folder);
    expect(take(spool)).toEqual(upTo(200).filter((number) => number !== 99));
    expect(spool.damaged()).toBe(1);
  });

  test("counts and skips damaged records beside sound ones, wherever bits are flipped", async () => {
    const random = randomFrom(7);
    for (let run = 0; run < 30; run += 1) {
      const folder = emptyFolder();
      const written = await writer(folder);
      addTo(written, 0, 300);
      close(written);
      const [name = ""] = segments(folder);
      const bytes = readFileSync(join(folder, name));
      const hit = Math.floor(random() * bytes.length);
      bytes[hit] = (bytes[hit] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(join(folder, name), bytes);
      await addAll(folder, 300, 310);
      const spool = await reader(folder);
      const found = take(spool);
      expect(found).toHaveLength(309);
      expect(found).toEqual([...found].sort((one, other) => one - other));
      expect(spool.damaged()).toBeGreaterThan(0);
      close(spool);
    }
  });

  test("skips bytes that are zero or anything, also more than is read at once", async () => {
    const folder = emptyFolder();
    const written = await writer(folder);
    addTo(written, 0, 10);
    close(written);
    const [name = ""] = segments(folder);
    const sound = readFileSync(join(folder, name));
    writeFileSync(
      join(folder, name),
      Buffer.concat([sound, Buffer.alloc(3 * 1024 ** 2), Buffer.from("TSP\x01"), sound]),
    );
    await addAll(folder, 10, 20);
    const spool = await reader(folder);
    expect(take(spool)).toEqual([...upTo(10), ...upTo(10), ...upTo(20, 10)]);
    expect(spool.damaged()).toBeGreaterThan(0);
  });

  test("drops its oldest segments when it is full, and counts what was not sent of them", async () => {
    const folder = emptyFolder();
    const size = 640 * 1024;
    const written = await writer(folder, size);
    const sent: number[] = [];
    const spool = await reader(folder);
    addTo(written, 0, 3000);
    sent.push(...take(spool, 1));
    const held = spool.next();
    addTo(written, 3000, 20_000);
    const onDisk = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(onDisk).toBeLessThan(size + 4096);
    // At once, and no more within a minute.
    expect(warnings).toEqual([
      expect.stringMatching(/^spool is full \(--spool-size\): dropped its oldest \d+ readings/),
    ]);
    expect(written.dropped()).toBeGreaterThan(5000);
    // Was on its way when its segment was dropped.
    if (held !== undefined) {
      spool.done(held.end);
      sent.push(...upTo(2000 + held.readings.length, 2000));
    }
    const rest = take(spool);
    expect(rest.at(-1)).toBe(19_999);
    expect(rest).toEqual(upTo(20_000, rest[0]));
    expect(spool.dropped()).toBe(20_000 - sent.length - rest.length);
    expect(spool.damaged()).toBe(0);
  });

  test("counts what was dropped while nothing read it", async () => {
    const folder = emptyFolder();
    const written = await writer(folder, 640 * 1024);
    addTo(written, 0, 20_000);
    close(written);
    const { found } = await writer(folder, 640 * 1024);
    const spool = await reader(folder);
    const rest = take(spool);
    expect(rest).toHaveLength(found);
    expect(spool.dropped()).toBe(20_000 - rest.length);
  });

  test("goes on when its position cannot be saved or a segment not be removed, says so once, and does it later", async (context) => {
    const disk = emptyFolder();
    const mount = (...words: readonly string[]) => spawnSync("mount", [...words, disk], { encoding: "utf8" });
    const mounted = mount("-t", "tmpfs", "-o", "size=1m", "tongs-test");
    if (mounted.status !== 0) return context.skip(`a small disk cannot be mounted: ${mounted.stderr}`);
    try {
      await addAll(disk, 0, 3000);
      expect(statSync(join(disk, "position")).size).toBe(256);
      await addAll(disk, 3000, 3100);
      // Not a block is left.
      expect(() => writeFileSync(join(disk, "filler"), Buffer.alloc(2 ** 20))).toThrow("ENOSPC");
      const early = await reader(disk);
      expect(take(early, 1)).toEqual(upTo(2000));
      close(early);
      expect(warnings).toEqual([]);
      const spool = await reader(disk);
      expect(mount("-o", "remount,ro").status).toBe(0);
      expect(take(spool)).toEqual(upTo(3100, 2000));
      expect(take(spool)).toEqual([]);
      expect(warnings).toEqual([
        "Cannot write spool: read-only file system (EROFS); until this is resolved, a restart sends again what was sent",
      ]);
      expect(segments(disk)).toHaveLength(2);
      expect(mount("-o", "remount,rw").status).toBe(0);
      expect(spool.next()).toBeUndefined();
      expect(segments(disk)).toHaveLength(1);
      close(spool);
      expect(take(await reader(disk))).toEqual([]);
    } finally {
      spawnSync("umount", [disk]);
    }
  });

  test("goes on without a file for its position", async () => {
    const folder = emptyFolder();
    await addAll(folder, 0, 10);
    const spool = await reader(folder);
    rmSync(join(folder, "position"));
    mkdirSync(join(folder, "position"));
    expect(take(spool)).toEqual(upTo(10));
    expect(warnings).toEqual([expect.stringContaining("is a directory (EISDIR)")]);
    rmdirSync(join(folder, "position"));
    writeFileSync(join(folder, "position"), "");
    expect(spool.next()).toBeUndefined();
    close(spool);
    expect(take(await reader(folder))).toEqual([]);
  });

  test("is refused for another engine or format, with other files, and when it is damaged", async () => {
    const folder = emptyFolder();
    close(await writer(folder));
    const options = { size: 2 ** 20, now: () => new Date(), warn };
    await expect(openSpoolWriter(purposeIn(folder, "http://10.0.0.1/write?org=x"), options)).rejects.toMatchObject({
      code: "not_a_spool",
      message: "spool is the spool for http://127.0.0.1:8428/api/v1/write as remote-write",
    });
    const other = { ...purposeIn(folder), format: "influx" };
    await expect(openSpoolWriter(other, options)).rejects.toMatchObject({ code: "not_a_spool" });
    const strange = join(emptyFolder(), "deep");
    mkdirSync(strange);
    writeFileSync(join(strange, "letter.txt"), "dear");
    await expect(openSpoolWriter(purposeIn(strange), options)).rejects.toMatchObject({ exit: "refused" });
    writeFileSync(join(folder, "spool.json"), "{");
    await expect(openSpoolWriter(purposeIn(folder), options)).rejects.toMatchObject({ code: "not_a_spool" });
    writeFileSync(join(folder, "spool.json"), "[1]");
    await expect(openSpoolWriter(purposeIn(folder), options)).rejects.toMatchObject({ code: "not_a_spool" });
    const made = join(emptyFolder(), "new", "spool");
    close(await writer(made));
    expect(existsSync(join(made, "spool.json"))).toBe(true);
  });

  test("has one writer and one reader at a time", async () => {
    const folder = emptyFolder();
    const [written, spool] = [await writer(folder), await reader(folder)];
    await expect(writer(folder)).rejects.toMatchObject({
      code: "spool_in_use",
      message: "Another process forwards from spool",
    });
    await expect(reader(folder)).rejects.toMatchObject({ code: "spool_in_use" });
    close(written);
    close(spool);
    close(await writer(folder));
    close(await reader(folder));
  });

  test("begins at its oldest segment, and says so, when its position is damaged", async () => {
    const folder = emptyFolder();
    const written = await writer(folder);
    addTo(written, 0, 50);
    const before = await reader(folder);
    expect(take(before)).toEqual(upTo(50));
    close(before);
    writeFileSync(join(folder, "position"), readFileSync(join(folder, "position"), "utf8").replace("50", "51"));
    expect(take(await reader(folder))).toEqual(upTo(50));
    expect(warnings).toEqual([expect.stringContaining("the position is damaged")]);
  });
});
