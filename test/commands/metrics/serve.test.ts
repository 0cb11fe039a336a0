import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { describe, expect, test } from "vitest";
import { connectCollectd } from "../../../src/metrics/grpc/client.ts";
import { createReadingCache } from "../../../src/metrics/grpc/reading-cache.ts";
import { dataBytes, dataCopy, delimitedMessages } from "../../metrics/data.ts";
import { decodeReading } from "../../metrics/decode-reading.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { fileBytes, records, tongsBytes } from "./bytes.ts";
import { serving, until } from "./serving.ts";

// A push that is cut off leaves its journal beside the file.
const all = dataCopy("collectd-5.12.delimited.bin");
const bytes = dataBytes("collectd-5.12.delimited.bin");
const messages = delimitedMessages(bytes);

async function pushTo(server: ReturnType<typeof serving>, ...words: readonly string[]) {
  const ran = await tongsBytes(["metrics", "push", `127.0.0.1:${await server.port}`, all, ...words]);
  expect(ran).toMatchObject({ code: 0 });
}

describe("metrics serve --to", () => {
  test("appends, mends a cut end first, and says so", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "r.bin"), bytes.subarray(0, bytes.length - 3));
    const server = serving(["--to", "r.bin"], cwd);
    await pushTo(server, "--plugin", "load");
    server.stop();
    const { code, stdout, stderr } = await server.ended;
    expect([code, stdout.length]).toEqual([0, 0]);
    expect(stderr).toMatch(/Repaired r\.bin: removed an incomplete reading \(\d+ B\) after 4999 readings/);
    expect(stderr).toContain("Received 152 readings");
    const decoded = await tongsBytes(["metrics", "decode", "r.bin", "--format", "ndjson"], { cwd });
    expect([decoded.code, records(decoded.stdout).length]).toEqual([0, 4999 + 152]);
  });

  test("prints as well with an output format, and keeps recording what the flags select", async () => {
    const server = serving(["--to", "r.bin", "--format", "csv", "--plugin", "load"]);
    await pushTo(server);
    server.stop();
    const { code, stdout } = await server.ended;
    // A header, and a line for each of three values.
    expect([code, stdout.toString().trimEnd().split("\n").length]).toEqual([0, 1 + 3 * 152]);
    expect(delimitedMessages(fileBytes(server.cwd, "r.bin"))).toHaveLength(152);
  });

  test("prints one JSON array with --json, whole when it ends", async () => {
    const server = serving(["--json", "--plugin", "load"]);
    await pushTo(server);
    server.stop();
    const { code, stdout } = await server.ended;
    expect([code, (JSON.parse(stdout.toString()) as unknown[]).length]).toEqual([0, 152]);
  });

  test.each([
    [["--host", "nobody"], 0],
    [["--type", "load", "--since", "2100-01-01"], 0],
    [["--plugin", "l?ad", "--until", "2100-01-01"], 152],
  ])("selects by %j as decode does", async (words, count) => {
    const server = serving(["--to", "r.bin", ...words]);
    await pushTo(server);
    server.stop();
    expect((await server.ended).stderr).toContain(`Received ${count} readings`);
    expect(delimitedMessages(fileBytes(server.cwd, "r.bin"))).toHaveLength(count);
  });

  test("reopens the file on SIGHUP", async () => {
    const server = serving(["--to", "r.bin"]);
    await pushTo(server, "--plugin", "load");
    renameSync(join(server.cwd, "r.bin"), join(server.cwd, "moved.bin"));
    server.hangup();
    await pushTo(server, "--plugin", "uptime");
    server.stop();
    await server.ended;
    expect(delimitedMessages(fileBytes(server.cwd, "moved.bin"))).toHaveLength(152);
    expect(fileBytes(server.cwd, "r.bin").length).toBeGreaterThan(0);
  });

  test("converts rotated files to Parquet, also those that an interrupted run left", async () => {
    const cwd = emptyFolder();
    const left = join(cwd, "r.20261122T060000Z.bin");
    writeFileSync(left, bytes);
    const damaged = join(cwd, "r.20261122T070000Z.bin");
    writeFileSync(damaged, bytes.subarray(0, bytes.length - 3));
    const words = ["--to", "r.bin", "--rotate", "100K", "--format", "parquet", "--count", String(messages.length)];
    const server = serving(words, cwd);
    await pushTo(server);
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(stderr).toContain("r.20261122T070000Z.bin was not converted");
    expect(readFileSync(damaged).length).toBe(bytes.length - 3);
    const names = readdirSync(cwd).sort();
    expect(names.filter((name) => name.endsWith(".bin"))).toEqual(["r.20261122T070000Z.bin", "r.bin"]);
    const rows = async (name: string) => {
      const file = await asyncBufferFromFile(join(cwd, name));
      return Number((await parquetMetadataAsync(file)).num_rows);
    };
    const values = messages.reduce(
      (sum, one) => sum + decodeReading(one, 0, one.length, { lenient: true }).values.length,
      0,
    );
    expect(await rows("r.20261122T060000Z.parquet")).toBe(values);
    const rotated = names.filter((name) => /\.parquet$/.test(name) && !name.includes("T060000Z"));
    expect(rotated.length).toBeGreaterThan(2);
    let found = 0;
    for (const name of rotated) found += await rows(name);
    const rest = delimitedMessages(fileBytes(cwd, "r.bin"));
    for (const one of rest) found += decodeReading(one, 0, one.length, { lenient: true }).values.length;
    expect(found).toBe(values);
  });

  test("compresses rotated files, also those that an interrupted run left, and keeps the newest", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "r.20261122T050000Z.bin.gz"), "the oldest");
    writeFileSync(join(cwd, "r.20261122T060000Z.bin"), bytes);
    writeFileSync(join(cwd, ".r.20261122T060000Z.bin.gz.0123456789abcdef.partial"), "of a killed run");
    const words = ["--to", "r.bin", "--rotate", "100K", "--compress", "gzip", "--count", String(messages.length)];
    const server = serving([...words, "--keep", "5"], cwd);
    await pushTo(server);
    expect(await server.ended).toMatchObject({ code: 0 });
    const names = readdirSync(cwd).filter((name) => name.startsWith("r.20"));
    expect(
      names.every((name) => /^r\.\w+Z(\d{3})?\.bin\.gz$/.test(name)),
      names.join(),
    ).toBe(true);
    expect(readdirSync(cwd).filter((name) => name.endsWith(".partial"))).toEqual([]);
    expect(names).not.toContain("r.20261122T050000Z.bin.gz");
    expect(names.length).toBeGreaterThan(4);
    const { stdout } = await tongsBytes(["metrics", "decode", ...names, "r.bin"], { cwd });
    expect(stdout.toString().trimEnd().split("\n")).toHaveLength(2 * messages.length);
  });

  test("compresses with zstd where Node has it, and refuses it elsewhere", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "r.20261122T060000Z.bin"), bytes);
    const server = serving(["--to", "r.bin", "--rotate", "1h", "--compress", "zstd"], cwd);
    if ("createZstdCompress" in zlib) {
      await until(() => existsSync(join(cwd, "r.20261122T060000Z.bin.zst")));
      server.stop();
      await server.ended;
      const { stdout } = await tongsBytes(["metrics", "decode", "r.20261122T060000Z.bin.zst"], { cwd });
      expect(stdout.toString().trimEnd().split("\n")).toHaveLength(messages.length);
    } else expect(await server.ended).toMatchObject({ code: 2, stderr: expect.stringContaining("has no zstd") });
  });

  test.each([
    ["--to r.bin --compress gzip", "--compress requires --rotate"],
    ["--to r.bin --rotate 1h --compress gzip --format parquet", "exclude each other"],
    ["--to r.bin --format parquet", "--format parquet requires"],
    ["--to r.parquet --rotate 1h --format parquet", "--to FILE must not end in .parquet"],
  ])("refuses %s", async (words, why) => {
    const cwd = emptyFolder();
    const ran = await tongsBytes(["metrics", "serve", "--listen", "0", ...words.split(" ")], { cwd });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("rotates, keeps the newest files, and refuses a second recorder", async () => {
    const server = serving(["--to", "r.bin", "--rotate", "100K", "--keep", "2"]);
    await pushTo(server);
    const second = await tongsBytes(["metrics", "serve", "--listen", "0", "--to", "r.bin"], { cwd: server.cwd });
    expect(second).toMatchObject({ code: 9, stderr: expect.stringContaining("Another process is recording to r.bin") });
    server.stop();
    await server.ended;
    const names = readdirSync(server.cwd).filter((name) => /^r\.\d{8}T\d{6}Z(\d{3})?\.bin$/.test(name));
    expect(names).toHaveLength(2);
    expect(names.every((name) => readFileSync(join(server.cwd, name)).length <= 100 * 1024)).toBe(true);
  });

  test.each([
    ["--rotate", "1h"],
    ["--keep", "2"],
    ["--rotate", "soon", "--to", "r.bin"],
    ["--keep", "2", "--to", "r.bin"],
    ["--to", "new/"],
    ["--listen", "127.0.0.1:99999"],
    ["--listen", "host with spaces:1"],
    ["--listen", ":"],
    ["--tls"],
    ["--cert", "a.pem"],
    ["--tls", "--cert", "a.pem"],
  ])("%s %s is a usage error", async (...words) => {
    expect(await tongsBytes(["metrics", "serve", ...words])).toMatchObject({ code: 2 });
  });

  test.each(["", ":", "127.0.0.1:"])("--listen %sPORT listens on 127.0.0.1", async (prefix) => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
    const { port } = probe.address() as AddressInfo;
    const taken = await tongsBytes(["metrics", "serve", "--listen", `${prefix}${port}`]);
    const message = `Cannot listen on 127.0.0.1:${port}: the port is in use`;
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    await new Promise((resolve) => probe.close(resolve));
  });

  test("answers no OK to readings after the last one of --count, which are in no file", async () => {
    const server = serving(["--to", "r.bin", "--count", "10"]);
    const pushed = await tongsBytes(["metrics", "push", `127.0.0.1:${await server.port}`, all]);
    expect(pushed.code).not.toBe(0);
    expect(await server.ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Received 10 readings") });
    expect(delimitedMessages(fileBytes(server.cwd, "r.bin"))).toHaveLength(10);
  });

  test("stops and answers no OK when the file that it records to was removed", async () => {
    const server = serving(["--to", "r.bin"]);
    const push = ["metrics", "push", `127.0.0.1:${await server.port}`, all, "--plugin", "load"];
    expect((await tongsBytes(push)).code).toBe(0);
    rmSync(join(server.cwd, "r.bin"));
    expect((await tongsBytes(push)).code).not.toBe(0);
    const { code, stderr } = await server.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("✗ r.bin was removed, and the readings in it are lost\n  To replace r.bin, rename it"),
    ]);
  });

  test("is not disturbed by a connection that sends nothing, or nonsense", async () => {
    const server = serving(["--to", "r.bin"]);
    const silent = connect(await server.port, "127.0.0.1");
    const odd = connect(await server.port, "127.0.0.1");
    odd.write("GET / HTTP/1.1\r\n\r\n");
    odd.on("error", () => odd.destroy());
    await pushTo(server, "--plugin", "load");
    server.stop();
    expect(await server.ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Received 152 readings") });
    silent.destroy();
    odd.destroy();
  });
});

describe("a full disk", () => {
  const refusal = /cannot take readings now: not recorded: no space left on device \(ENOSPC\)/;

  test("is no OK: push says so and exits with 7, and what was refused is counted", async () => {
    const server = serving(["--to", "/dev/full"]);
    const address = `127.0.0.1:${await server.port}`;
    const pushed = await tongsBytes(["metrics", "push", address, all, "--plugin", "load"]);
    expect([pushed.code, pushed.stderr]).toEqual([7, expect.stringMatching(refusal)]);
    expect(pushed.stderr).toContain("Sent 0 readings");
    const query = await tongsBytes(["metrics", "query", address, "--json"]);
    expect(JSON.parse(query.stdout.toString())).toEqual([]);
    server.stop();
    const { code, stderr } = await server.ended;
    expect(code).toBe(11);
    expect(stderr).toContain(
      "Cannot write /dev/full: no space left on device (ENOSPC); readings are refused until this",
    );
    expect(stderr).toMatch(/Received 0 readings; refused \d+ readings that could not be written/);
  });

  test("never answers OK to a call whose reading is not in the file, however many there are at once", async (context) => {
    const disk = emptyFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tongs-test", disk], { encoding: "utf8" });
    if (mounted.status !== 0) return context.skip(`a small disk cannot be mounted: ${mounted.stderr}`);
    try {
      const server = serving(["--to", join(disk, "r.bin")]);
      const client = connectCollectd({ host: "127.0.0.1", port: await server.port }, { timeout: 600 });
      const answers = await Promise.allSettled(messages.slice(0, 2000).map((message) => client.put([message])));
      client.close();
      server.stop();
      const { code, stderr } = await server.ended;
      const hex = (one: Uint8Array) => Buffer.from(one).toString("hex");
      const answered = messages.filter((_one, index) => answers[index]?.status === "fulfilled");
      const recorded = delimitedMessages(readFileSync(join(disk, "r.bin")));
      expect(recorded.map(hex).sort()).toEqual(answered.map(hex).sort());
      expect(answered.length).toBeGreaterThan(100);
      expect(code).toBe(11);
      expect(stderr).toContain(
        `Received ${answered.length} readings; refused ${2000 - answered.length} readings that could not be written`,
      );
    } finally {
      spawnSync("umount", [disk]);
    }
  });

  test("that has room again has every reading after push --resume", async (context) => {
    const disk = emptyFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tongs-test", disk], { encoding: "utf8" });
    if (mounted.status !== 0) return context.skip(`a small disk cannot be mounted: ${mounted.stderr}`);
    try {
      writeFileSync(join(disk, "filler"), Buffer.alloc(700 * 1024));
      const server = serving(["--to", join(disk, "r.bin")]);
      const words = ["metrics", "push", `127.0.0.1:${await server.port}`, "sent.bin"];
      writeFileSync(join(server.cwd, "sent.bin"), bytes);
      const pushed = await tongsBytes(words, { cwd: server.cwd });
      expect([pushed.code, pushed.stderr]).toEqual([7, expect.stringMatching(refusal)]);
      rmSync(join(disk, "filler"));
      expect(await tongsBytes([...words, "--resume"], { cwd: server.cwd })).toMatchObject({ code: 0 });
      server.stop();
      const { code, stderr } = await server.ended;
      expect([code, stderr]).toEqual([11, expect.stringMatching(/recording to \S+ again; \d+ readings were refused/)]);
      const hex = (one: Uint8Array) => Buffer.from(one).toString("hex");
      const recorded = new Set(delimitedMessages(readFileSync(join(disk, "r.bin"))).map(hex));
      expect(messages.map(hex).filter((one) => !recorded.has(one))).toEqual([]);
    } finally {
      spawnSync("umount", [disk]);
    }
  });
});

describe("a reader of stdout that takes nothing", () => {
  /** A promise, and what resolves it. */
  function gate() {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  }

  test("stops neither the recording nor a signal; what was not printed is counted", async () => {
    const server = serving(["--to", "r.bin", "--format", "ndjson"], emptyFolder(), { readsAgain: gate().opened });
    await pushTo(server);
    await pushTo(server, "--plugin", "load");
    server.stop();
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(delimitedMessages(fileBytes(server.cwd, "r.bin"))).toHaveLength(5000 + 152);
    expect(stderr.match(/Output is being read too slowly/g)).toHaveLength(1);
    expect(stderr).toMatch(/\d+ readings were not printed/);
    expect(stderr).toMatch(/\d \w+ of output were never read/);
  });

  test("gets whole readings when it reads again, and a valid end", async () => {
    const reader = gate();
    const server = serving(["--to", "r.bin", "--format", "json"], emptyFolder(), { readsAgain: reader.opened });
    await pushTo(server);
    await until(() => server.notes.join("").includes("too slowly"));
    reader.open();
    await pushTo(server, "--plugin", "load");
    server.stop();
    const { code, stdout, stderr } = await server.ended;
    const missing = Number(/(\d+) readings were not printed/.exec(stderr)?.[1]);
    expect(missing).toBeGreaterThan(100);
    expect([code, (JSON.parse(stdout.toString()) as unknown[]).length]).toEqual([0, 5000 + 152 - missing]);
    expect(stderr).not.toContain("did not take");
  });

  test("makes the sender wait if nothing is recorded, and gets all readings", async () => {
    const reader = gate();
    const server = serving(["--count", "5000"], emptyFolder(), { readsAgain: reader.opened });
    let isOpen = false;
    const pushed = pushTo(server).then(() => isOpen);
    await new Promise((resolve) => setTimeout(resolve, 500));
    isOpen = true;
    reader.open();
    expect(await pushed).toBe(true);
    const { code, stdout, stderr } = await server.ended;
    expect([code, records(stdout).length]).toEqual([0, 5000]);
    expect(stderr).not.toContain("not printed");
  });

  test("does not keep a signal from ending the command if nothing is recorded", async () => {
    let printed = 0;
    const server = serving([], emptyFolder(), {
      readsAgain: gate().opened,
      onOutput: (chunk) => {
        printed += chunk.length;
      },
    });
    const pushed = tongsBytes(["metrics", "push", `127.0.0.1:${await server.port}`, "--timeout", "3"], {
      stdin: bytes,
    });
    await until(() => printed > 0);
    server.stop();
    expect((await server.ended).stderr).toContain("of output were never read");
    await pushed;
  });
});

describe("zero bytes in a recording", () => {
  test("are damage, not readings, in any framing and at any place", async () => {
    const grpc = dataBytes("collectd-5.12.grpc.bin");
    for (const [sound, count] of [
      [bytes, 5000],
      [grpc, 5000],
      [Buffer.alloc(0), 0],
    ] as const) {
      for (const zeros of [2, 10, 512, 1_100_000]) {
        if (sound === grpc && zeros === 2) continue;
        const stdin = Buffer.concat([sound, Buffer.alloc(zeros)]);
        const ran = await tongsBytes(["metrics", "decode"], { stdin });
        expect([ran.code, records(ran.stdout).length, zeros]).toEqual([13, count, zeros]);
        expect(ran.stderr).toContain("zero bytes instead of");
      }
    }
  });

  test("can be skipped, and the readings after them are read", async () => {
    const cwd = emptyFolder();
    for (const zeros of [2, 3, 4096, 1_048_577]) {
      writeFileSync(join(cwd, "r.bin"), Buffer.concat([bytes, Buffer.alloc(zeros)]));
      appendFileSync(join(cwd, "r.bin"), bytes);
      const ran = await tongsBytes(["metrics", "decode", "r.bin", "--skip-errors"], { cwd });
      expect([ran.code, records(ran.stdout).length]).toEqual([13, 10_000]);
    }
  });
});

describe("the cache of metrics serve", () => {
  const everything = { host: "*", plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" };
  const [message = new Uint8Array()] = messages;
  const reading = decodeReading(message, 0, message.length, { lenient: true });

  /** Keeps a reading of `size` bytes for each host. */
  const at = { seconds: 1, nanos: 500 };

  test("keeps the newest reading of a series, whichever came last, until it expires", () => {
    const clock = { now: new Date(0) };
    const cache = createReadingCache({ now: () => clock.now });
    const kept = () => cache.query(everything).map((bytes) => Buffer.from(bytes).toString());
    cache.keep(reading, Buffer.from("new"), at);
    cache.keep(reading, Buffer.from("old"), { seconds: 1, nanos: 499 });
    cache.keep(reading, Buffer.from("older"), { seconds: 0, nanos: 900 });
    expect(kept()).toEqual(["new"]);
    cache.keep(reading, Buffer.from("same"), at);
    expect(kept()).toEqual(["same"]);
    clock.now = new Date(1e9);
    cache.keep(reading, Buffer.from("old"), { seconds: 1, nanos: 499 });
    expect(kept()).toEqual(["old"]);
  });

  function keepAll(cache: ReturnType<typeof createReadingCache>, hosts: readonly string[], size = 1000): void {
    for (const host of hosts) {
      const { plugin = "", plugin_instance = "", type = "", type_instance = "" } = reading.identifier ?? {};
      const identifier = { host, plugin, plugin_instance, type, type_instance };
      // Within a larger buffer, as it is received.
      cache.keep({ ...reading, identifier }, Buffer.alloc(1_000_000, host).subarray(0, size), at);
    }
  }

  test("holds a limited number of bytes, and evicts what was updated least recently", () => {
    const cache = createReadingCache({ now: () => new Date(0), maxBytes: 20_000 });
    const hosts = Array.from({ length: 100 }, (_, index) => String(index).padStart(4, "0"));
    keepAll(cache, ["0000", ...hosts, "0090"]);
    const kept = cache.query(everything);
    const held = kept.reduce((sum, one) => sum + one.buffer.byteLength, 0);
    expect([held <= 20_000, kept.length > 5]).toEqual([true, true]);
    const names = kept.map((one) => Buffer.from(one.subarray(0, 4)).toString());
    expect(names).toEqual(hosts.slice(-kept.length));
    keepAll(cache, ["large"], 30_000);
    expect(cache.query(everything)).toEqual([]);
    keepAll(cache, ["a", "b"]);
    expect(cache.query(everything)).toHaveLength(2);
  });

  test("counts long names as well as readings", () => {
    const cache = createReadingCache({ now: () => new Date(0), maxBytes: 100_000 });
    keepAll(
      cache,
      Array.from({ length: 100 }, (_, index) => `${index}${"n".repeat(5000)}`),
      1,
    );
    expect(cache.query(everything).length).toBeLessThan(10);
  });

  test("forgets a series after two of its intervals, as collectd does", () => {
    const clock = { now: new Date(1000) };
    const cache = createReadingCache({ now: () => clock.now });
    const interval = Number(reading.interval?.seconds.toString()) * 1000 + (reading.interval?.nanos ?? 0) / 1e6;
    cache.keep(reading, message, at);
    clock.now = new Date(1000 + 2 * interval - 1);
    expect(cache.query(everything)).toHaveLength(1);
    cache.keep(reading, message, at);
    clock.now = new Date(clock.now.getTime() + 2 * interval);
    expect(cache.query(everything)).toHaveLength(0);
    cache.keep({ ...reading, interval: undefined }, message, at);
    clock.now = new Date(clock.now.getTime() + 19_999);
    expect(cache.query(everything)).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 1);
    expect(cache.query(everything)).toHaveLength(0);
  });
});
