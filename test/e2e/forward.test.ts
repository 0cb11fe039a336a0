import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { ForwardFormat } from "../../src/metrics/forward/formats.ts";
import { type FakeEngine, startEngine } from "../metrics/forward/engine.ts";
import { delimited, readingWith } from "../metrics/forward/readings.ts";
import { emptyFolder, type Started, shellProgram, startBuilt } from "./built.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function until(holds: () => boolean | Promise<boolean>, what: () => string = () => ""): Promise<void> {
  for (const start = Date.now(); !(await holds()); ) {
    if (Date.now() - start > 120_000) throw new Error(`it did not happen within two minutes: ${what()}`);
    await wait(50);
  }
}

/** Starts `metrics serve --forward` in a folder, and waits until it listens. */
async function forwarding(cwd: string, url: string, format: ForwardFormat) {
  const words = ["metrics", "serve", "--listen", "0", "--forward", url, "--forward-format", format, "--spool", "spool"];
  const running = startBuilt(words, { cwd });
  closing.push(() => running.kill("SIGKILL"));
  const note = /Listening on 127\.0\.0\.1:(\d+)/;
  await until(() => note.test(running.stderr()), running.stderr);
  return { running, address: `127.0.0.1:${note.exec(running.stderr())?.[1]}` };
}

// Where the process that sends can be found.
const hasChildren = existsSync(`/proc/self/task/${process.pid}/children`);

/** The process that sends what `serve` keeps. */
function senderOf({ pid }: Started): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").at(-1));
}

async function push(address: string, readings: readonly Uint8Array[]): Promise<void> {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "r.bin"), delimited(readings));
  const pushing = startBuilt(["metrics", "push", address, "r.bin"], { cwd });
  expect([await pushing.ended, pushing.stderr()]).toEqual([0, expect.stringContaining(`Sent ${readings.length} `)]);
}

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, index) => from + index);
const some = (from: number, end: number) => upTo(end, from).map((index) => readingWith({ gauge: index }, 1000 + index));
const valuesOf = (engine: FakeEngine) => engine.taken.map(({ value }) => value);

describe("metrics serve --forward as processes", () => {
  it.skipIf(!hasChildren)(
    "loses nothing that it answered OK to when all of it is killed during an outage",
    async () => {
      let isDown = true;
      const engine = await startEngine(() => (isDown ? { status: 503 } : undefined));
      closing.push(engine.close);
      const cwd = emptyFolder();
      const { running, address } = await forwarding(cwd, engine.url("remote-write"), "remote-write");
      await push(address, some(0, 3000));
      const sender = senderOf(running);
      running.kill("SIGKILL");
      process.kill(sender, "SIGKILL");
      await running.ended;
      const again = await forwarding(cwd, engine.url("remote-write"), "remote-write");
      await push(again.address, some(3000, 4000));
      isDown = false;
      await until(() => engine.taken.length >= 4000, again.running.stderr);
      expect(valuesOf(engine)).toEqual(upTo(4000));
      again.running.kill("SIGTERM");
      expect([await again.running.ended, again.running.stderr()]).toEqual([
        0,
        expect.stringContaining("Forwarded 4000 readings to "),
      ]);
    },
  );

  it.skipIf(!hasChildren)(
    "starts another process when the one that sends is killed, and receives meanwhile",
    async () => {
      const engine = await startEngine();
      closing.push(engine.close);
      const { running, address } = await forwarding(emptyFolder(), engine.url("influx"), "influx");
      await push(address, some(0, 500));
      await until(() => engine.taken.length >= 500, running.stderr);
      const killed = senderOf(running);
      process.kill(killed, "SIGKILL");
      await push(address, some(500, 700));
      await until(() => new Set(valuesOf(engine)).size === 700, running.stderr);
      expect(running.stderr()).toContain("The process that forwards readings ended; starting another one");
      expect([...new Set(valuesOf(engine))]).toEqual(upTo(700));
      expect(senderOf(running)).not.toBe(killed);
    },
  );

  it("starts another process when the one that sends cannot go on", async () => {
    const engine = await startEngine();
    closing.push(engine.close);
    const cwd = emptyFolder();
    const { running, address } = await forwarding(cwd, engine.url("influx"), "influx");
    // Cannot be read as a segment.
    mkdirSync(join(cwd, "spool", "00000001.seg"));
    await until(() => running.stderr().includes("forwards readings ended; starting another one"), running.stderr);
    rmdirSync(join(cwd, "spool", "00000001.seg"));
    await push(address, some(0, 50));
    await until(() => engine.taken.length >= 50, running.stderr);
    expect(valuesOf(engine)).toEqual(upTo(50));
  });

  it("goes on sending what it has for some seconds when only the process that receives is killed", async () => {
    let isHeld = true;
    // Longer than it takes the process that sends to say how far it is, to nobody.
    const engine = await startEngine(async () => {
      if (isHeld) await wait(1500);
      isHeld = false;
      return undefined;
    });
    closing.push(engine.close);
    const cwd = emptyFolder();
    const { running, address } = await forwarding(cwd, engine.url("otlp"), "otlp");
    await push(address, some(0, 3000));
    running.kill("SIGKILL");
    await until(() => engine.taken.length >= 3000, running.stderr);
    expect(valuesOf(engine)).toEqual(upTo(3000));
    const again = await forwarding(cwd, engine.url("otlp"), "otlp");
    await push(again.address, some(3000, 3100));
    await until(() => engine.taken.length >= 3100, again.running.stderr);
    // What was being sent when it had to end may be sent again.
    expect([...new Set(valuesOf(engine))]).toEqual(upTo(3100));
  });

  it("refuses calls whose readings cannot be kept, and says so", async () => {
    const engine = await startEngine(() => ({ status: 503 }));
    closing.push(engine.close);
    const cwd = emptyFolder();
    const words = `metrics serve --listen 0 --forward ${engine.url("influx")} --forward-format influx --spool spool`;
    // Files of at most 16 KiB stand for the disk.
    const running = startBuilt(`ulimit -f 16; exec ${shellProgram} ${words}`, { cwd });
    closing.push(() => running.kill("SIGKILL"));
    const note = /Listening on (127\.0\.0\.1:\d+)/;
    await until(() => note.test(running.stderr()), running.stderr);
    const folder = emptyFolder();
    writeFileSync(join(folder, "r.bin"), delimited(some(0, 2000)));
    const pushing = startBuilt(["metrics", "push", note.exec(running.stderr())?.[1] ?? "", "r.bin"], { cwd: folder });
    expect([await pushing.ended, pushing.stderr()]).toEqual([
      7,
      expect.stringContaining("not recorded: file too large (EFBIG)"),
    ]);
    expect(running.stderr()).toContain("readings are not forwarded until this is resolved");
  });
});

/** An engine that a machine may have: its program, how it is started, and where it takes what. */
interface RealEngine {
  readonly variable: string;
  readonly words: (address: string, folder: string) => readonly string[];
  readonly paths: Readonly<Partial<Record<ForwardFormat, string>>>;
}

const engines: Readonly<Record<string, RealEngine>> = {
  VictoriaMetrics: {
    variable: "TONGS_TEST_VICTORIAMETRICS",
    words: (address, folder) => [
      `-httpListenAddr=${address}`,
      `-storageDataPath=${folder}/data`,
      "-retentionPeriod=10y",
      "-search.latencyOffset=0s",
      "-dedup.minScrapeInterval=1ms",
    ],
    paths: { "remote-write": "/api/v1/write", influx: "/write", otlp: "/opentelemetry/v1/metrics" },
  },
  Prometheus: {
    variable: "TONGS_TEST_PROMETHEUS",
    words: (address, folder) => [
      `--web.listen-address=${address}`,
      `--storage.tsdb.path=${folder}/data`,
      `--config.file=${folder}/prometheus.yml`,
      "--web.enable-remote-write-receiver",
    ],
    paths: { "remote-write": "/api/v1/write" },
  },
};

const cases = Object.entries(engines).flatMap(([name, engine]) =>
  Object.entries(engine.paths).map(([format, path]) => ({ name, engine, format: format as ForwardFormat, path })),
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const seriesCount = 20;
const interval = 10;

/** Ten minutes of readings of all series, from a time on. */
function tenMinutes(from: number): Uint8Array[] {
  return upTo(600 / interval).flatMap((step) =>
    upTo(seriesCount).map((series) => {
      const time = from + step * interval;
      const identifier = { host: `h${series}`, plugin: "p", plugin_instance: "", type: "t", type_instance: "" };
      return readingWith({ gauge: valueAt(series, time) }, time, identifier);
    }),
  );
}

const valueAt = (series: number, time: number) => series + (time % 100_000) / 8;

describe.each(cases)("$name as an engine, by $format", ({ name, engine, format, path }) => {
  const program = process.env[engine.variable];
  const skipped = program === undefined ? ` (skipped: ${engine.variable} names no program)` : "";

  it.skipIf(program === undefined || !hasChildren)(
    `has every value once and at its time, through its restart, an outage and kills of tongs${skipped}`,
    async () => {
      const folder = emptyFolder();
      writeFileSync(join(folder, "prometheus.yml"), "global: {}\n");
      const address = `127.0.0.1:${await freePort()}`;
      let running: ChildProcess | undefined;
      const isReady = () =>
        fetch(`http://${address}/-/healthy`).then(
          ({ ok }) => ok,
          () => false,
        );
      const start = async () => {
        running = spawn(program ?? "", engine.words(address, folder), { stdio: "ignore" });
        await until(isReady);
      };
      const stop = async () => {
        const ended = new Promise((resolve) => running?.once("close", resolve));
        running?.kill("SIGTERM");
        await ended;
      };
      await start();
      closing.push(stop);
      const cwd = emptyFolder();
      const begin = Math.floor(Date.now() / 1000 / interval) * interval - 3600;
      const url = `http://${address}${path}`;
      let serve = await forwarding(cwd, url, format);
      await push(serve.address, tenMinutes(begin));
      // The engine is restarted while readings come.
      await stop();
      await push(serve.address, tenMinutes(begin + 600));
      await start();
      await push(serve.address, tenMinutes(begin + 1200));
      // All of tongs is killed, while it may be sending.
      const sender = senderOf(serve.running);
      serve.running.kill("SIGKILL");
      process.kill(sender, "SIGKILL");
      await serve.running.ended;
      serve = await forwarding(cwd, url, format);
      // Half an hour of readings comes while there is no engine.
      await stop();
      for (const later of [1800, 2400, 3000]) await push(serve.address, tenMinutes(begin + later));
      serve.running.kill("SIGKILL");
      await serve.running.ended;
      await start();
      serve = await forwarding(cwd, url, format);
      await until(() => isAllSent(cwd), serve.running.stderr);
      serve.running.kill("SIGTERM");
      await serve.running.ended;
      if (name === "VictoriaMetrics") await fetch(`http://${address}/internal/force_flush`);
      const metric = format === "influx" ? "t_value" : "collectd_p_t";
      const label = format === "influx" ? "host" : "instance";
      const query = async (text: string) => {
        const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(text)}`);
        const { data } = (await answer.json()) as {
          data: { result: { metric: Record<string, string>; values: [number, string][]; value: [number, string] }[] };
        };
        return data.result;
      };
      const found = await query(`${metric}[2h]`);
      const times = upTo(3600 / interval).map((step) => begin + step * interval);
      const expected = upTo(seriesCount).map((series) => [
        `h${series}`,
        times.map((time) => [time, String(valueAt(series, time))]),
      ]);
      const byName = (one: readonly unknown[], other: readonly unknown[]) =>
        String(one[0]) < String(other[0]) ? -1 : 1;
      expect(found.map(({ metric: labels, values }) => [labels[label], values]).sort(byName)).toEqual(
        expected.sort(byName),
      );
      const counts = await query(`count_over_time(${metric}[2h])`);
      expect(counts.map(({ value }) => value[1])).toEqual(upTo(seriesCount).map(() => String(3600 / interval)));
    },
  );
});

/** Whether the position of a spool is at the end of its last segment. */
function isAllSent(cwd: string): boolean {
  const spool = join(cwd, "spool");
  const [text = ""] = readFileSync(join(spool, "position"), "utf8").split("\t");
  const { segment, offset } = JSON.parse(text) as { segment: number; offset: number };
  const segments = readdirSync(spool).filter((file) => file.endsWith(".seg"));
  const last = segments.sort().at(-1);
  if (last === undefined) return true;
  return (
    Number(last.slice(0, -4)) < segment ||
    (Number(last.slice(0, -4)) === segment && statSync(join(spool, last)).size === offset)
  );
}
