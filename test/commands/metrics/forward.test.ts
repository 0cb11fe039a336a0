import { createSocket } from "node:dgram";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type FakeEngine, startEngine } from "../../metrics/forward/engine.ts";
import { delimited, readingWith } from "../../metrics/forward/readings.ts";
import { capturedPackets } from "../../metrics/packets.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { tongsBytes } from "./bytes.ts";
import { serving, until } from "./serving.ts";

let engine: FakeEngine | undefined;

afterEach(async () => {
  await engine?.close();
  engine = undefined;
});

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, index) => from + index);

/** Sends readings of one series over gRPC. */
async function send(port: number, from: number, end: number): Promise<void> {
  const cwd = emptyFolder();
  const readings = upTo(end, from).map((index) => readingWith({ gauge: index }, 1000 + index));
  writeFileSync(join(cwd, "r.bin"), delimited(readings));
  expect(await tongsBytes(["metrics", "push", `127.0.0.1:${port}`, "r.bin"], { cwd })).toMatchObject({ code: 0 });
}

const values = () => (engine?.taken ?? []).map(({ value }) => value);

describe("metrics serve --forward", () => {
  test("sends on what it receives, in order and once, and prints nothing", async () => {
    engine = await startEngine();
    const server = serving(["--forward", engine.url("remote-write"), "--spool", "spool"]);
    await send(await server.port, 0, 3000);
    await until(() => values().length >= 3000);
    server.stop();
    const { code, stdout, stderr } = await server.ended;
    expect([code, String(stdout)]).toEqual([0, ""]);
    expect(stderr).toContain(`Forwarded 3000 readings to ${engine.url("remote-write")}\n`);
    expect(values()).toEqual(upTo(3000));
    expect(engine.taken[7]).toEqual({ series: 'collectd_p_t{instance="h"}', value: 7, time: 1_007_000 });
  });

  test("keeps readings through an outage and its own end, and sends them when both are back", async () => {
    engine = await startEngine(() => ({ status: 503 }));
    const { url, port } = engine;
    const words = ["--forward", url("influx"), "--forward-format", "influx", "--spool", "spool", "--to", "r.bin"];
    const first = serving(words);
    await send(await first.port, 0, 500);
    await until(() => (engine?.requests.length ?? 0) > 0);
    first.stop();
    const ended = await first.ended;
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("500 wait in spool") });
    expect(ended.stderr).toContain("failed (503); readings wait in spool");
    await engine.close();
    const second = serving(words, first.cwd);
    await until(() => second.notes.join("").includes("500 readings of before wait in spool"));
    await send(await second.port, 500, 600);
    engine = await startEngine(undefined, { port });
    await until(() => values().length >= 600);
    await until(() => second.notes.join("").includes(`Forwarding to ${url("influx")} again`));
    second.stop();
    expect(await second.ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Forwarded 600 readings") });
    expect(values()).toEqual(upTo(600));
  });

  test("names and counts what the engine refuses, sends the rest, and exits with 11", async () => {
    const bad = new Set([3, 250]);
    engine = await startEngine(({ samples }) =>
      samples.some(({ value }) => bad.has(value)) ? { status: 400, body: "too old" } : undefined,
    );
    const server = serving(["--forward", engine.url("otlp"), "--forward-format", "otlp", "--spool", "spool"]);
    await send(await server.port, 0, 300);
    await until(() => values().length >= 298);
    server.stop();
    const { code, stderr } = await server.ended;
    expect(code).toBe(11);
    expect(stderr).toContain("refused h/p/t: too old");
    expect(stderr).toContain("; 2 were refused");
    expect(values()).toEqual(upTo(300).filter((value) => !bad.has(value)));
  });

  test("tries again when the engine is not there or refuses the token, which the profile may print anew", async () => {
    const answers = [{ status: 401 }, { status: 404 }];
    engine = await startEngine(() => answers.shift());
    const cwd = emptyFolder();
    const set = (...words: readonly string[]) =>
      tongsBytes(["profile", "set", "vm", ...words], { cwd, env: { PATH: process.env["PATH"] ?? "" } });
    expect(await set("host", new URL(engine.url("influx")).origin)).toMatchObject({ code: 0 });
    expect(await set("token_command", "cat token")).toMatchObject({ code: 0 });
    // Relative to the directory of this process.
    const token = join(cwd, "token");
    expect(await set("token_command", `cat ${token}`)).toMatchObject({ code: 0 });
    writeFileSync(token, "old\n");
    const words = ["--forward", engine.url("influx"), "--forward-format", "influx", "--spool", "spool"];
    const server = serving(words, cwd, { env: { PATH: process.env["PATH"] ?? "" } });
    const port = await server.port;
    writeFileSync(token, "new\n");
    await send(port, 0, 10);
    await until(() => server.notes.join("").includes("requires other credentials (401)"));
    server.stop();
    expect((await server.ended).stderr).toContain("10 wait in spool");
    expect(engine.requests[0]?.headers.authorization).toBe("Bearer old");
    const again = serving(words, cwd, { env: { PATH: process.env["PATH"] ?? "" } });
    await until(() => again.notes.join("").includes("Nothing takes influx at"));
    again.stop();
    await again.ended;
    expect(engine.requests[1]?.headers.authorization).toBe("Bearer new");
  });

  test("refuses a spool of another engine, flags that do not fit, and a second one on the same spool", async () => {
    engine = await startEngine();
    const words = ["--forward", engine.url("influx"), "--forward-format", "influx", "--spool", "spool"];
    const first = serving(words);
    await first.port;
    const { cwd } = first;
    const run = (...others: readonly string[]) =>
      tongsBytes(["metrics", "serve", "--listen", "127.0.0.1:0", ...others], { cwd });
    expect(await run(...words)).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("Another process forwards from spool"),
    });
    first.stop();
    await first.ended;
    expect(await run("--forward", engine.url("otlp"), "--forward-format", "otlp", "--spool", "spool")).toMatchObject({
      code: 9,
      stderr: expect.stringContaining(`spool is the spool for ${engine.url("influx")} as influx`),
    });
    expect(await run("--spool", "spool")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("require --forward"),
    });
    expect(await run("--forward", "127.0.0.1:8428")).toMatchObject({ code: 2 });
    expect(await run("--forward", "http://a:b@127.0.0.1:1/x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("must not contain credentials"),
    });
  });
});

/** The status page of a server. */
async function status({ notes }: ReturnType<typeof serving>): Promise<string> {
  const at = /Status at (http:\S+)/;
  await until(() => at.test(notes.join("")));
  return (await fetch(at.exec(notes.join(""))?.[1] ?? "")).text();
}

describe("the status of forwarding", () => {
  test("has what the engine refused, and what the spool dropped while the engine is away, with a warning at once", async () => {
    let isDown = false;
    engine = await startEngine(({ samples }) =>
      isDown ? { status: 503 } : samples.some(({ value }) => value === 3) ? { status: 400, body: "no" } : undefined,
    );
    const words = ["--forward", engine.url("remote-write"), "--spool", "spool", "--spool-size", "200K"];
    const server = serving([...words, "--status-address", "0"]);
    await send(await server.port, 0, 10);
    let text = "";
    while (!text.includes("\ntongs_forward_refused_readings_total 1\n")) text = await status(server);
    isDown = true;
    await send(await server.port, 10, 6000);
    const dropped = /\ntongs_forward_dropped_readings_total ([1-9]\d+)\n/;
    while (!dropped.test(text)) text = await status(server);
    expect(server.notes.join("")).toContain("spool is full (--spool-size): dropped its oldest ");
    server.stop();
    expect(await server.ended).toMatchObject({ code: 11, stderr: expect.stringMatching(/; \d+ were dropped/) });
  });
});

test("values that Influx lines have no form for are counted at the end", async () => {
  engine = await startEngine();
  const server = serving(["--forward", engine.url("influx"), "--forward-format", "influx", "--spool", "spool"]);
  const cwd = emptyFolder();
  const gauges = [Number.NaN, 1, Number.POSITIVE_INFINITY];
  writeFileSync(join(cwd, "r.bin"), delimited(gauges.map((gauge, index) => readingWith({ gauge }, 1000 + index))));
  await tongsBytes(["metrics", "push", `127.0.0.1:${await server.port}`, "r.bin"], { cwd });
  await until(() => values().length > 0);
  server.stop();
  const { code, stderr } = await server.ended;
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("Left out 2 values: InfluxDB has no NaN and no infinities"),
  ]);
});

describe("a spool that was removed", () => {
  test("refuses calls of serve, also when another directory is in its place", async () => {
    engine = await startEngine(() => ({ status: 503 }));
    const server = serving(["--forward", engine.url("remote-write"), "--spool", "spool"]);
    await send(await server.port, 0, 10);
    const spool = join(server.cwd, "spool");
    rmSync(spool, { recursive: true });
    const again = async () => {
      const cwd = emptyFolder();
      writeFileSync(join(cwd, "r.bin"), delimited([readingWith({ gauge: 10 }, 1010)]));
      return tongsBytes(["metrics", "push", `127.0.0.1:${await server.port}`, "r.bin"], { cwd });
    };
    const refused = { code: 7, stderr: expect.stringContaining("not recorded: spool was removed") };
    expect(await again()).toMatchObject(refused);
    expect(existsSync(spool)).toBe(false);
    mkdirSync(spool);
    expect(await again()).toMatchObject(refused);
    expect(readdirSync(spool)).toEqual([]);
    server.stop();
    const { code, stderr } = await server.ended;
    expect([code, stderr]).toEqual([
      11,
      expect.stringMatching(
        /! [\d:TZ-]+: spool was removed, and the readings in it; readings are not forwarded until this/,
      ),
    ]);
    // Eight calls were refused, and ten readings were in it.
    expect(stderr).toContain("; 18 were dropped");
  });
});

describe("metrics listen --forward", () => {
  test("counts what its spool could not take as lost", async () => {
    engine = await startEngine();
    const verb = ["listen", "--udp", "127.0.0.1:0"];
    const words = ["--forward", engine.url("remote-write"), "--spool", "spool", "--status-address", "0"];
    const server = serving(words, emptyFolder(), { verb });
    const port = await server.port;
    rmSync(join(server.cwd, "spool"), { recursive: true });
    const socket = createSocket("udp4");
    for (const packet of capturedPackets().plain)
      await new Promise((resolve) => socket.send(packet, port, "127.0.0.1", resolve));
    socket.close();
    let text = "";
    while (!text.includes('tongs_lost_total{what="readings that could not be written"} 319\n'))
      text = await status(server);
    expect(text).toContain("\ntongs_received_readings_total 0\n");
    server.stop();
    expect((await server.ended).code).toBe(11);
  });

  test("sends on the packets of the network protocol", async () => {
    engine = await startEngine();
    const verb = ["listen", "--udp", "127.0.0.1:0"];
    const server = serving(["--forward", engine.url("remote-write"), "--spool", "spool"], emptyFolder(), { verb });
    const port = await server.port;
    const text = (type: number, value: string) => {
      const head = Buffer.alloc(4);
      head.writeUInt16BE(type, 0);
      head.writeUInt16BE(5 + value.length, 2);
      return Buffer.concat([head, Buffer.from(`${value}\0`)]);
    };
    const time = Buffer.from([0, 1, 0, 12, 0, 0, 0, 0, 0, 0, 3, 0xe8]);
    const gauge = Buffer.alloc(15);
    gauge.writeUInt16BE(6, 0);
    gauge.writeUInt16BE(15, 2);
    gauge.writeUInt16BE(1, 4);
    gauge.writeUInt8(1, 6);
    gauge.writeDoubleLE(42, 7);
    const packet = Buffer.concat([text(0, "h"), time, text(2, "p"), text(4, "gauge"), gauge]);
    const socket = createSocket("udp4");
    await new Promise((done) => socket.send(packet, port, "127.0.0.1", done));
    await until(() => values().length > 0);
    socket.close();
    server.stop();
    await server.ended;
    expect(engine.taken).toEqual([{ series: 'collectd_p_gauge{instance="h"}', value: 42, time: 1_000_000 }]);
  });
});
